/** The page comes to life: it is told where everybody is, draws it, and says what is held. */

import { Live } from "./live.js";
import { Wheel } from "./wheel.js";
import { View } from "../walk/view.js";
import { startTheme } from "../theme.js";

const RETRY = 500; // ms
const MOST_TRIES = 20;
const FINAL = [1008, 1013]; // who is shown the door with one of these does not come back
const SHOWN = new Set([0]);

const part = (id) => document.getElementById(id);
const view = new View(part("view"), [{ name: "person", look: "p0" }]);
const wheel = new Wheel(part("view"), (left, top) => view.placeAt(left, top), press);
let socket = null;
let player = ""; // our name, with which we may come back
let tries = 0;
let live = null;
let drive = 0; // which one
let number = 0; // of what was pressed
let decided = 0; // the last that the state on the canvas has answered
let phase = "waiting"; // ready, counting, driving, over

window.drive = { get phase() { return phase; }, get live() { return live; }, get pressed() { return number; }, drawn: 0 };

function connect() {
  const address = new URL("/drive", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.search = new URLSearchParams({ token: new URLSearchParams(location.search).get("token") ?? "", player });
  socket = new WebSocket(address);
  socket.addEventListener("open", () => {
    tries = 0;
    note("");
  });
  socket.addEventListener("message", (event) => hear(JSON.parse(event.data)));
  socket.addEventListener("close", (event) => lost(event));
}

function lost(event) {
  if (FINAL.includes(event.code)) note(`The server has closed the connection: ${event.reason}.`);
  else if (++tries > MOST_TRIES) note("The server has ended; all finished drives are kept.");
  else {
    note("The connection is lost; trying again…");
    setTimeout(connect, tries > 1 ? RETRY : 0);
  }
}

function say(type, content = {}) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type, ...content }));
}

function press(held) {
  if (phase === "counting" || phase === "driving") say("press", { number: ++number, ...held });
}

function hear(told) {
  const acts = { welcome, scene, countdown, state, score, trouble };
  acts[told.type](told);
}

function welcome(told) {
  if (player && player !== told.player) note("The drive was given up, as the connection was lost for too long.");
  player = told.player;
  part("choice").replaceChildren(...told.episodes.map((name, k) => new Option(name, k)));
  const several = told.episodes.length > 1;
  for (const id of ["previous", "next", "on"]) part(id).hidden = !several;
  wheel.repeat();
}

function scene(told) {
  if (told.drive === drive) return; // we have come back to it
  drive = told.drive;
  live = new Live(told);
  part("place-0").setAttribute("d", told.floor);
  part("choice").value = told.number;
  part("view").setAttribute("aria-label", `${told.title} from above`);
  part("task").textContent = `${told.people} people, ${told.time_limit} s to reach the goal`;
  view.show(live.scene);
  announce(`${told.title}. Press any key to start.`);
  turn("ready");
}

function countdown({ seconds }) {
  const end = performance.now() + 1000 * seconds;
  const tick = () => {
    const left = Math.ceil((end - performance.now()) / 1000);
    if (phase !== "counting" || left <= 0) return;
    part("count").textContent = left;
    setTimeout(tick, 50);
  };
  tick();
}

function state(told) {
  if (!live) return;
  if (phase !== "driving") turn("driving");
  live.add(told, performance.now());
  decided = told.number;
}

function score(told) {
  turn("over");
  live.conclude(told.contacts);
  part("ending").className = `ending ${told.verdict}`;
  part("verdict").textContent = headline(told.words, told.caused + told.shared + told.walked_into);
  part("reason").textContent = `${capital(told.reason)}.`;
  const rows = [
    ["Time", `${told.time.toFixed(1)} s`],
    ["Contacts caused by you", told.caused],
    ["Contacts shared", told.shared],
    ["People who walked into you", told.walked_into],
    ...told.metrics.map(({ name, value, unit }) => [capital(name), measured(value, unit)]),
  ];
  part("measured").replaceChildren(...rows.map(([name, value]) => pair(name, value)));
  part("others").replaceChildren(...told.others.map(other));
  announce(`${part("verdict").textContent}. ${told.reason}`);
}

function trouble({ words }) {
  note(words);
  turn("over");
}

function measured(value, unit) {
  if (value === null) return "–";
  if (unit === "1") return `${Math.round(100 * value)} %`;
  if (unit === "m" && value < 0) return "touched";
  return `${value.toFixed(1)} ${unit}`;
}

function headline(words, touches) {
  if (words === "planner failed") return "Given up";
  if (words !== "touched people") return capital(outcome(words, touches));
  return touches > 1 ? `Touched people ${touches} times` : "Touched somebody";
}

/** As the cards of a report say it. */
function outcome(words, touches) {
  if (words === "touched people") return `touched ${touches}`;
  return touches ? `${words}, touched ${touches}` : words;
}

function pair(name, value) {
  const row = make("div");
  row.append(make("dt", "", name), make("dd", "", value));
  return row;
}

function other(each) {
  const row = make("li", each.this ? "this" : "");
  row.append(
    make("span", "", each.this ? "this one" : each.who),
    make("span", `verdict ${each.verdict}`, outcome(each.words, each.contacts)),
    make("span", "time", `${each.time.toFixed(1)} s`),
  );
  return row;
}

function make(kind, className = "", textContent = "") {
  return Object.assign(document.createElement(kind), { className, textContent });
}

function capital(words) {
  return words[0].toUpperCase() + words.slice(1);
}

function announce(words) {
  part("said").textContent = words;
}

function note(words) {
  part("note").textContent = words;
  part("note").hidden = !words;
}

function turn(next) {
  phase = next;
  part("start").hidden = next !== "ready";
  part("count").hidden = next !== "counting";
  part("leave").hidden = next !== "driving";
  part("score").hidden = next !== "over";
  part("player").classList.toggle("over", next === "over");
  part("help").hidden = next === "over";
  for (const id of ["choice", "previous", "next"]) part(id).disabled = ["counting", "driving"].includes(next);
  if (next === "counting") {
    note("");
    part("count").textContent = "";
    wheel.repeat();
  }
}

function start() {
  if (phase !== "ready") return;
  turn("counting");
  part("view").focus({ preventScroll: true });
  say("start");
}

function choose(episode) {
  const count = part("choice").options.length;
  if (phase === "ready" || phase === "over") say("choose", { episode: (episode + count) % count });
}

function frame() {
  wheel.poll();
  if (wheel.clicked) {
    if (phase === "over") choose(Number(part("choice").value));
    else start();
  }
  if (live) {
    view.draw(live.timeAt(performance.now()), SHOWN, 0);
    window.drive.drawn = decided;
    gauge("left", `${Math.max(live.scene.time_limit - live.step * live.scene.dt, 0).toFixed(1)} s`);
    gauge("speed", `${live.speed.toFixed(1)} m/s`);
    gauge("contacts", live.touches);
    part("contacts").classList.toggle("warn", live.touches > 0);
  }
  showStick(wheel.stick);
  requestAnimationFrame(frame);
}

function gauge(id, words) {
  if (part(id).textContent !== String(words)) part(id).textContent = words;
}

function showStick(stick) {
  part("stick").hidden = !stick;
  if (!stick) return;
  const [x, y] = stick.from;
  part("stick").style.transform = `translate(${x}px, ${y}px)`;
  part("knob").style.transform = `translate(${stick.to[0] - x}px, ${stick.to[1] - y}px)`;
}

function listen() {
  const on = (id, kind, act) => part(id).addEventListener(kind, act);
  const here = () => Number(part("choice").value);
  on("start", "click", start);
  on("again", "click", () => choose(here()));
  on("on", "click", () => choose(here() + 1));
  on("previous", "click", () => choose(here() - 1));
  on("next", "click", () => choose(here() + 1));
  on("choice", "change", () => choose(here()));
  on("leave", "click", () => say("leave"));
  addEventListener("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.code === "Escape") say("leave");
    else if (phase === "ready" && !/^(Tab|Shift)/.test(event.code) && !/^(SELECT|BUTTON|INPUT)$/.test(event.target.tagName)) start();
    else if (phase === "over" && event.code === "KeyR") choose(here());
    else if (phase === "over" && event.code === "KeyN") choose(here() + 1);
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) return;
    wheel.letGo();
    if (phase === "driving") note("The tab was hidden: the robot was let go.");
  });
}

listen();
startTheme(() => view.refresh());
connect();
requestAnimationFrame(frame);
