/** The robot's view of chosen moments: marks on the time line, and a picture beside the map. */

import { data } from "./main.js";
import { element } from "./player.js";

const SOONER = 0.3; // seconds before its moment at which a picture is shown
const LATER = 1.5; // and after it
const CHOSEN = 0.06; // seconds: the time line is that coarse

export class RobotView {
  #part = (id) => document.getElementById(id);
  #views; // of each scene, of each drive, its pictures
  #planners;
  #scenes;
  #scene = -1;
  #marked = []; // the pictures of drives that are shown, in order of time
  #chosen = null; // the last one that was asked for
  #shown = null;

  constructor({ scenes, planners }) {
    this.#views = JSON.parse(this.#part("views").textContent);
    [this.#scenes, this.#planners] = [scenes, planners];
    // Whoever moves the time, the time line tells it.
    new MutationObserver(() => this.#update()).observe(this.#part("time"), { attributeFilter: ["aria-valuetext"] });
    this.#part("legend").addEventListener("change", () => this.#fillMarks());
    this.#part("depth").addEventListener("change", () => this.#show(this.#shown));
    this.#part("sight-before").addEventListener("click", () => this.#leap(-1));
    this.#part("sight-after").addEventListener("click", () => this.#leap(1));
    this.#part("player").addEventListener("keydown", (event) => this.#press(event));
    this.#update();
  }

  #time() {
    return Number(this.#part("time").value);
  }

  #update() {
    const scene = Number(this.#part("choice").value);
    if (scene !== this.#scene) {
      this.#scene = scene;
      this.#chosen = null;
      this.#fillMarks();
      return;
    }
    this.#show(this.#near());
  }

  /** The picture of about now: the one that was asked for, or the nearest. */
  #near() {
    const time = this.#time();
    if (this.#chosen && Math.abs(this.#chosen.time - time) < CHOSEN) return this.#chosen;
    const near = this.#marked.filter((each) => each.time - SOONER <= time && time <= each.time + LATER);
    return near.sort((a, b) => Math.abs(a.time - time) - Math.abs(b.time - time))[0] ?? null;
  }

  // Marks on the time line

  #fillMarks() {
    const boxes = [...this.#part("legend").querySelectorAll("input")];
    const drives = this.#scenes[this.#scene].drives;
    this.#marked = drives
      .flatMap((drive, number) => (boxes[number]?.checked ? this.#views[this.#scene][number] : []).map((each) => ({ ...each, drive })))
      .sort((a, b) => a.time - b.time);
    if (this.#chosen && !this.#marked.some((each) => each.time === this.#chosen.time && each.drive === this.#chosen.drive)) this.#chosen = null;
    for (const each of this.#marked) each.mark = this.#mark(each);
    this.#part("sights").replaceChildren(...this.#marked.map((each) => each.mark));
    this.#part("sight-before").disabled = this.#part("sight-after").disabled = !this.#marked.length;
    this.#shown = null;
    this.#show(this.#near());
  }

  #mark(picture) {
    const words = `${this.#said(picture)}`;
    const { look } = this.#planners[picture.drive.planner];
    const mark = element("button", { type: "button", className: look, title: words, tabIndex: -1, ariaLabel: `Robot's view: ${words}` });
    mark.style.left = `${(100 * picture.time) / (Number(this.#part("time").max) || 1)}%`;
    mark.addEventListener("click", () => this.#choose(picture));
    return mark;
  }

  #said({ time, words, drive }) {
    return `${time.toFixed(1)} s, ${this.#planners[drive.planner].name}: ${words}`;
  }

  // Asking for one

  /** Go to a picture's moment, as if somebody had moved the time there. */
  #choose(picture) {
    this.#chosen = picture;
    const line = this.#part("time");
    line.value = picture.time;
    line.dispatchEvent(new Event("input"));
    this.#part("said").textContent = this.#said(picture);
  }

  /** To the next picture, or the one before; from the last on to the first. */
  #leap(by) {
    const count = this.#marked.length;
    if (!count) return;
    const time = this.#time();
    const here = this.#marked.indexOf(this.#near());
    const at = here >= 0 && Math.abs(this.#marked[here].time - time) < CHOSEN;
    const after = this.#marked.findIndex((each) => each.time > time);
    const next = after < 0 ? count : after;
    const place = at ? here + by : by > 0 ? next : next - 1;
    this.#choose(this.#marked[(place + count) % count]);
  }

  #press(event) {
    const typed = event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT";
    if (typed || event.key.toLowerCase() !== "v") return;
    event.preventDefault();
    this.#leap(event.shiftKey ? -1 : 1);
  }

  // The picture

  #show(picture) {
    const depth = this.#part("depth").checked;
    if (!picture) this.#tellWhen();
    this.#part("metres").hidden = !depth;
    if (picture === this.#shown && picture?.depthShown === depth) return;
    this.#shown?.mark.classList.remove("now");
    picture?.mark.classList.add("now");
    this.#shown = picture;
    this.#part("seen").hidden = !picture;
    this.#part("nothing-seen").hidden = Boolean(picture);
    for (const path of document.querySelectorAll("#outlined path")) path.setAttribute("d", picture?.outline ?? "");
    if (picture) this.#draw(picture, depth);
    else this.#part("seen-words").textContent = "";
  }

  #draw(picture, depth) {
    picture.depthShown = depth;
    const { name, look } = this.#planners[picture.drive.planner];
    const outlined = picture.outline ? ", outlined" : "";
    const seen = this.#part("seen");
    seen.src = `data:image/jpeg;base64,${depth ? picture.depth : picture.rgb}`;
    seen.alt = `${depth ? "Depth" : "What the camera sees"} at ${this.#said(picture)}${outlined}`;
    seen.parentElement.classList.toggle("touching", picture.words.startsWith("contact"));
    const time = element("b", { textContent: `${picture.time.toFixed(1)} s` });
    const dot = element("span", { className: `dot ${look}` });
    this.#part("seen-words").replaceChildren(dot, time, ` ${name}: ${picture.words}${outlined}`);
  }

  #tellWhen() {
    const next = this.#marked.find((each) => each.time > this.#time()) ?? this.#marked[0];
    const words = next ? `No picture of this moment. The next is of ${next.time.toFixed(1)} s.` : "No pictures of these drives.";
    if (this.#part("nothing-seen").textContent !== words) this.#part("nothing-seen").textContent = words;
  }
}

new RobotView(data);
