/** The player: which episode, what time, which planners; its buttons and keys. */

import { nearestPerson, peopleAt, poseAt, speedAt, unpackedScene } from "./scene.js";
import { View } from "./view.js";

const STEP = 0.1; // seconds
const LEAP = 1.0; // seconds, with Shift

export class Player {
  #data;
  #view;
  #part = (id) => document.getElementById(id);
  #number = 0;
  #scene = null;
  #end = 0;
  #time = 0;
  #playing = false;
  #drawnAt = 0;
  #shown = new Set(); // numbers of drives
  #hidden = new Set(); // numbers of planners; kept from episode to episode
  #crowd = 0;
  #lines = []; // the texts of the legend that change

  constructor(data) {
    this.#data = data;
    this.#view = new View(this.#part("view"), data.planners);
    data.scenes.forEach((scene, number) => this.#part("choice").append(new Option(scene.title, number)));
    this.#listen();
    new ResizeObserver(() => this.#draw()).observe(this.#part("view"));
    this.open(0);
  }

  /** Show an episode from its beginning. */
  open(number) {
    const count = this.#data.scenes.length;
    this.#number = (number + count) % count;
    this.#scene = unpackedScene(this.#data.scenes[this.#number]);
    this.#end = Math.max(...this.#scene.drives.map((drive) => drive.end));
    this.#crowd = 0;
    this.#part("choice").value = this.#number;
    this.#part("time").max = this.#end;
    this.#part("view").setAttribute("aria-label", `${this.#scene.title} from above`);
    this.#say(this.#scene.title);
    this.#view.show(this.#scene);
    this.#fillLegend();
    this.#fillCrowds();
    this.#fillMarks();
    this.pause();
    this.#seek(0);
  }

  /** Colours have changed. */
  refresh() {
    this.#view.refresh();
    this.#draw();
  }

  focus() {
    this.#part("watch").scrollIntoView();
    this.#part("view").focus({ preventScroll: true });
  }

  play() {
    if (this.#time >= this.#end) this.#seek(0);
    this.#playing = true;
    this.#drawnAt = performance.now();
    this.#showState("Pause");
    requestAnimationFrame((now) => this.#frame(now));
  }

  pause() {
    this.#playing = false;
    this.#showState("Play");
  }

  #frame(now) {
    if (!this.#playing) return;
    const passed = Math.min((now - this.#drawnAt) / 1000, 0.25); // a page in the background sleeps
    this.#drawnAt = now;
    this.#seek(this.#time + Math.max(passed, 0) * Number(this.#part("speed").value));
    if (this.#time >= this.#end) this.pause();
    requestAnimationFrame((next) => this.#frame(next));
  }

  #seek(time) {
    this.#time = Math.min(Math.max(time, 0), this.#end);
    this.#part("time").value = this.#time;
    this.#part("time").setAttribute("aria-valuetext", `${this.#time.toFixed(1)} seconds`);
    this.#part("clock").value = `${this.#time.toFixed(1)} / ${this.#end.toFixed(1)} s`;
    this.#draw();
  }

  #step(seconds) {
    this.pause();
    const unit = Math.abs(seconds);
    this.#seek((Math.round(this.#time / unit) + Math.sign(seconds)) * unit);
  }

  #draw() {
    this.#view.draw(this.#time, this.#shown, this.#crowd);
    this.#tellNews();
  }

  #showState(next) {
    this.#part("play").setAttribute("aria-label", next);
    this.#part("play").classList.toggle("playing", next === "Pause");
  }

  #say(words) {
    this.#part("said").textContent = words;
  }

  // The legend

  #fillLegend() {
    this.#shown = new Set();
    this.#lines = [];
    const items = this.#scene.drives.map((drive, number) => this.#legendItem(drive, number));
    this.#part("legend").replaceChildren(...items);
  }

  #legendItem(drive, number) {
    const planner = this.#data.planners[drive.planner];
    const box = element("input", { type: "checkbox", checked: !this.#hidden.has(drive.planner) });
    const name = element("span", { className: "name", textContent: planner.name });
    const news = element("span", { className: "news" });
    const label = element("label", { className: `planner ${planner.look}` });
    label.append(box, element("span", { className: "dot" }), name, news);
    box.addEventListener("change", () => this.#toggle(drive.planner, number, box.checked));
    if (box.checked) this.#shown.add(number);
    this.#lines.push({ drive, news, said: null });
    const item = element("li", { title: `${drive.reason} (${drive.record})` });
    item.append(label);
    return item;
  }

  #toggle(planner, number, on) {
    if (on) {
      this.#shown.add(number);
      this.#hidden.delete(planner);
    } else {
      this.#shown.delete(number);
      this.#hidden.add(planner);
    }
    this.#fillMarks();
    this.#draw();
  }

  #tellNews() {
    const crowds = this.#scene.crowds.map((crowd) => peopleAt(crowd, this.#time));
    for (const line of this.#lines) {
      const people = crowds[line.drive.crowd];
      const words = news(line.drive, this.#time, people, this.#scene.crowds[line.drive.crowd].radius);
      if (words !== line.said) line.news.textContent = line.said = words;
    }
  }

  // Whose people

  #fillCrowds() {
    const { crowds, drives } = this.#scene;
    const several = crowds.length > 1;
    const names = crowds.map((_, number) => {
      const theirs = drives.filter((drive) => drive.crowd === number);
      return theirs.map((drive) => this.#data.planners[drive.planner].name).join(", ");
    });
    const options = names.map((name, number) => new Option(name, number));
    this.#part("crowd").replaceChildren(...options);
    this.#part("crowd").hidden = !several;
    this.#part("crowd-note").textContent = several
      ? "People walked differently with each planner. Shown are those of"
      : `${crowds[0].people} people, the same for all planners.`;
  }

  // Contacts and endings on the time line

  #fillMarks() {
    const marks = [];
    for (const number of this.#shown) {
      const drive = this.#scene.drives[number];
      const look = this.#data.planners[drive.planner].look;
      for (const [, begins, , , , cause] of drive.contacts) {
        if (cause) marks.push(this.#mark(`contact ${cause.split(" ")[0]}`, begins, look));
      }
      marks.push(this.#mark("end", drive.end, look));
    }
    this.#part("marks").replaceChildren(...marks);
  }

  #mark(kind, time, look) {
    const mark = element("span", { className: `${kind} ${look}` });
    mark.style.left = `${(100 * time) / (this.#end || 1)}%`;
    return mark;
  }

  // Buttons and keys

  #listen() {
    const on = (id, kind, act) => this.#part(id).addEventListener(kind, act);
    on("play", "click", () => this.#toggleState());
    on("view", "click", () => this.#toggleState());
    on("back", "click", (event) => this.#step(event.shiftKey ? -LEAP : -STEP));
    on("forward", "click", (event) => this.#step(event.shiftKey ? LEAP : STEP));
    on("previous", "click", () => this.open(this.#number - 1));
    on("next", "click", () => this.open(this.#number + 1));
    on("choice", "change", () => this.open(Number(this.#part("choice").value)));
    on("time", "input", () => {
      this.pause();
      this.#seek(Number(this.#part("time").value));
    });
    on("crowd", "change", () => {
      this.#crowd = Number(this.#part("crowd").value);
      this.#draw();
    });
    on("player", "keydown", (event) => this.#press(event));
  }

  #toggleState() {
    if (this.#playing) this.pause();
    else this.play();
  }

  #press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    const acts = {
      " ": () => this.#toggleState(),
      ArrowLeft: () => this.#step(event.shiftKey ? -LEAP : -STEP),
      ArrowRight: () => this.#step(event.shiftKey ? LEAP : STEP),
      Home: () => this.#seek(0),
      End: () => this.#seek(this.#end),
      n: () => this.open(this.#number + 1),
      p: () => this.open(this.#number - 1),
    };
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const planner = this.#part("legend").querySelectorAll("input")[Number(key) - 1];
    const act = acts[key] ?? (planner && (() => planner.click()));
    const pressed = key === " " && ["button", "checkbox"].includes(event.target.type); // acts itself
    if (!act || pressed) return;
    event.preventDefault();
    act();
  }
}

/** What there is to say about a robot now. */
function news(drive, time, people, radius) {
  const causes = drive.contacts.filter(([, begins, , , , cause]) => cause && begins <= time).map((each) => each[5]);
  const caused = causes.filter((cause) => cause === "caused").length;
  const split = caused ? ` (${caused} caused)` : "";
  const contacts = causes.length ? `${causes.length} contact${causes.length > 1 ? "s" : ""}${split}` : "";
  if (time >= drive.end) {
    const when = drive.outcome === "reached goal" ? "in" : "after";
    return [`${drive.outcome} ${when} ${drive.end.toFixed(1)} s`, contacts].filter(Boolean).join(", ");
  }
  const gap = nearestPerson(drive, poseAt(drive, time), people, radius);
  const nearest = Number.isFinite(gap) ? `nearest ${Math.max(gap, 0).toFixed(1)} m` : "nobody near";
  return [`${speedAt(drive, time).toFixed(1)} m/s`, nearest, contacts].filter(Boolean).join(", ");
}

export function element(kind, properties) {
  return Object.assign(document.createElement(kind), properties);
}
