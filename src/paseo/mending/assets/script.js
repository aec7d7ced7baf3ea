// The page: where in time, who is chosen, and what is sent to be corrected.
"use strict";

const part = (id) => document.getElementById(id);
const METRES = 9;
let drive = null, index = 0, chosen = [], playing = null, busy = false, pose = [0, 0, 0];

function show(next) {
  index = Math.max(0, Math.min(drive.frames.length - 1, next));
  part("at").value = index;
  part("clock").textContent = `${drive.times[index].toFixed(1)} s, frame ${drive.frames[index]}`;
  const picture = part("frame"), source = `/frames/${drive.frames[index]}`;
  if (picture.getAttribute("src") !== source) picture.src = source;
  pose = drive.robot[index] || pose;
  redraw();
}

const boxes = () => drive.boxes[drive.frames[index]] || [];

function redraw() {
  if (!drive) return;
  const picture = part("frame"), marks = part("marks");
  Object.assign(marks.style, { left: `${picture.offsetLeft}px`, top: `${picture.offsetTop}px`, width: `${picture.clientWidth}px`, height: `${picture.clientHeight}px` });
  drawMarks(marks, boxes(), picture.clientWidth / drive.width, chosen);
  drawGround(part("ground"), drive, index, pose, chosen, METRES);
}

function choose(person) { // two at most: the last ones
  if (chosen.includes(person)) chosen = chosen.filter((each) => each !== person);
  else chosen = [...chosen, person].slice(-2);
  say();
  redraw();
}

function say() {
  const known = new Set(drive.people.map((each) => each.person));
  chosen = chosen.filter((each) => known.has(each));
  const one = drive.people.find((each) => chosen.length === 1 && each.person === chosen[0]);
  part("chosen").textContent = chosen.length === 0 ? "Nobody is chosen." : chosen.length === 1 ? `Person ${chosen[0]} is chosen.` : `People ${chosen[0]} and ${chosen[1]} are chosen.`;
  part("merge").disabled = busy || chosen.length !== 2;
  part("split").disabled = busy || !one || drive.frames[index] <= one.first || drive.frames[index] > one.last;
  part("delete").disabled = busy || chosen.length !== 1;
  part("undo").disabled = busy || drive.corrections.length === 0;
  for (const row of part("people").rows) row.setAttribute("aria-selected", chosen.includes(Number(row.dataset.person)));
}

function cell(row, text) { const made = row.insertCell(); made.textContent = text; return made; }

function span(person) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), whole = drive.times[drive.times.length - 1] || 1;
  svg.setAttribute("class", "span"); svg.setAttribute("viewBox", "0 0 100 8"); svg.setAttribute("preserveAspectRatio", "none"); svg.setAttribute("aria-hidden", "true");
  for (const [x, width, name] of [[0, 100, "all"], [100 * person.from / whole, Math.max(0.8, 100 * (person.to - person.from) / whole), ""]]) {
    const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    rect.setAttribute("x", x); rect.setAttribute("width", width); rect.setAttribute("height", 8);
    if (name) rect.setAttribute("class", name); else rect.setAttribute("fill", colour(person.person));
    svg.append(rect);
  }
  return svg;
}

function list() {
  const body = part("people");
  body.replaceChildren();
  for (const person of drive.people) {
    const row = body.insertRow();
    row.dataset.person = person.person;
    const name = document.createElement("button"), dot = document.createElement("span");
    dot.className = "dot"; dot.style.background = colour(person.person);
    name.type = "button"; name.textContent = person.person; name.setAttribute("aria-label", `Choose person ${person.person}`);
    row.insertCell().append(dot, name);
    cell(row, `${person.from.toFixed(1)} to ${person.to.toFixed(1)} s`);
    cell(row, person.boxes);
    cell(row, person.rejected || "");
    cell(row, person.speed === null ? "no track" : `${person.speed.toFixed(1)} m/s`);
    cell(row, person.deviation === null ? "" : `${person.deviation.toFixed(2)} m`);
    row.insertCell().append(span(person));
    row.addEventListener("click", () => {
      choose(person.person);
      const frame = drive.frames[index];
      if (chosen.includes(person.person) && (frame < person.first || frame > person.last)) show(drive.frames.findIndex((each) => each >= person.first));
    });
  }
  const done = drive.corrections.map((words) => Object.assign(document.createElement("li"), { textContent: words }));
  part("corrections").replaceChildren(...done);
  part("none").hidden = done.length > 0;
}

function take(told) {
  drive = told;
  part("name").textContent = `${drive.name}: who is who`;
  part("at").max = drive.frames.length - 1;
  part("frame").style.setProperty("--form", drive.width / drive.height);
  list();
  say();
  show(index);
}

async function send(path, content) {
  if (busy) return;
  busy = true; say();
  part("trouble").textContent = ""; part("saved").textContent = "working …";
  try {
    const answer = await fetch(path, { method: "POST", body: content ? JSON.stringify(content) : "", headers: { "Content-Type": "application/json" } });
    if (!answer.ok) throw new Error((await answer.text()).trim());
    const told = await answer.json();
    busy = false;
    take(told);
    part("saved").textContent = "kept";
  } catch (error) {
    part("trouble").textContent = error.message === "Failed to fetch" ? "The server does not answer: is it still running? All that was kept before is safe." : error.message;
    part("saved").textContent = "";
  }
  busy = false; say();
}

const acts = {
  merge: () => send("/correct", { kind: "merge", person: Math.min(...chosen), other: Math.max(...chosen) }),
  split: () => send("/correct", { kind: "split", person: chosen[0], frame: drive.frames[index] }),
  delete: () => send("/correct", { kind: "delete", person: chosen[0] }),
  undo: () => send("/undo"),
};

function play() {
  if (playing) { clearTimeout(playing); playing = null; part("play").textContent = "Play"; return; }
  part("play").textContent = "Pause";
  const step = () => {
    if (index + 1 >= drive.frames.length) { playing = 1; play(); return; }
    show(index + 1); say();
    const wait = index + 1 < drive.times.length ? drive.times[index + 1] - drive.times[index] : 0.1;
    playing = setTimeout(step, Math.min(1000, Math.max(15, wait * 1000)));
  };
  playing = setTimeout(step, 1);
}

function move(by) { show(index + by); say(); }

function nearest(canvas, event) { // who is under the pointer, from above
  const view = groundView(canvas, pose, METRES), time = drive.times[index];
  let best = null, least = 24;
  for (const person of drive.people) for (const track of person.tracks) {
    const last = between(track.times, time);
    if (last < 0 || time - track.times[last] > 0.6) continue;
    const [x, y] = view.place(...track.places[last]), gap = Math.hypot(x - event.offsetX, y - event.offsetY);
    if (gap < least) { least = gap; best = person.person; }
  }
  return best;
}

function under(event) { // of those whose box is there the smallest: who is behind can be chosen too
  const scale = part("frame").clientWidth / drive.width, x = event.offsetX / scale, y = event.offsetY / scale;
  const found = boxes().filter(([, left, top, right, bottom]) => x >= left && x <= right && y >= top && y <= bottom);
  found.sort((a, b) => (a[3] - a[1]) * (a[4] - a[2]) - (b[3] - b[1]) * (b[4] - b[2]));
  return found.length ? found[0][0] : null;
}

part("marks").addEventListener("click", (event) => { const found = under(event); if (found !== null) choose(found); });
part("ground").addEventListener("click", (event) => { const found = nearest(part("ground"), event); if (found !== null) choose(found); });
part("frame").addEventListener("load", () => { part("absent").hidden = true; redraw(); });
part("frame").addEventListener("error", () => { part("absent").hidden = false; });
part("at").addEventListener("input", () => { show(Number(part("at").value)); say(); });
part("back").addEventListener("click", () => move(-1));
part("ahead").addEventListener("click", () => move(1));
part("play").addEventListener("click", play);
for (const name of Object.keys(acts)) part(name).addEventListener("click", () => acts[name]());
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, button") && [" ", "Enter", "ArrowLeft", "ArrowRight"].includes(event.key)) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const name = { m: "merge", s: "split", Delete: "delete", z: "undo" }[event.key];
  if (name && !part(name).disabled) acts[name]();
  else if (event.key === "ArrowLeft") move(-1);
  else if (event.key === "ArrowRight") move(1);
  else if (event.key === " ") { event.preventDefault(); play(); }
});
window.addEventListener("resize", redraw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);

fetch("/drive.json").then((answer) => answer.json()).then((told) => {
  take(told);
  const first = drive.frames.findIndex((each) => (drive.boxes[each] || []).length > 0);
  show(Math.max(0, first));
}).catch(() => { part("trouble").textContent = "The drive could not be loaded; is the server still running?"; });
