/** What a model that drove saw, was asked and said, and what was true: at each decision. */

import { Numbers } from "./codec.js";
import { data } from "./main.js";
import { element } from "./player.js";
import { peopleAt, unpackedScene } from "./scene.js";

const EXACT = 0.06; // seconds: the time line is that coarse
const EYESHOT = 9; // metres from the robot that are drawn
const RULES = { nearest: "shortest way", straight: "straight line", truth: "safest if all walk on", believed: "safest by its answers" };
const CAUSES = { caused: "caused by the robot", shared: "shared", "walked into": "walked into the robot" };
const JUDGED = { wrong: "wrong", silent: "no answer", right: "right", unclear: "too close to call" };

export class Decisions {
  #part = (id) => document.getElementById(id);
  #told; // of each scene, of each drive, its decisions; and the texts that they share
  #data;
  #number = -1; // of the scene
  #scene = null;
  #driver = 0; // number of the drive whose decisions are shown
  #chosen = null; // the last one that was asked for
  #shown = undefined;
  #open = { wrong: true, silent: true }; // which answers are unfolded

  constructor(all) {
    this.#told = JSON.parse(this.#part("decisions").textContent);
    this.#data = all;
    // Whoever moves the time, the time line tells it.
    new MutationObserver(() => this.#update()).observe(this.#part("time"), { attributeFilter: ["aria-valuetext"] });
    new ResizeObserver(() => this.#drawMap()).observe(this.#part("view"));
    this.#part("legend").addEventListener("change", () => this.#fill());
    this.#part("driver").addEventListener("change", () => this.#drive(Number(this.#part("driver").value)));
    this.#part("decision-before").addEventListener("click", () => this.#leap(-1));
    this.#part("decision-after").addEventListener("click", () => this.#leap(1));
    this.#part("marks").addEventListener("click", (event) => this.#clicked(event.target));
    this.#part("player").addEventListener("keydown", (event) => this.#press(event));
    this.#part("decisions-panel").addEventListener("keydown", (event) => {
      if (event.key === " " && event.target.matches("summary, pre")) event.stopPropagation(); // not to play
    });
    this.#update();
  }

  // Which drive, and which of its decisions

  get #drives() {
    return this.#told.scenes[this.#number];
  }

  get #driven() {
    return this.#drives[this.#driver];
  }

  get #decisions() {
    return this.#driven?.decisions ?? [];
  }

  get #contacts() {
    return this.#driven ? this.#scene.drives[this.#driver].contacts.filter((contact) => contact[5]) : [];
  }

  #time() {
    return Number(this.#part("time").value);
  }

  #name(drive) {
    return this.#data.planners[this.#scene.drives[drive].planner];
  }

  #update() {
    const number = Number(this.#part("choice").value);
    if (number !== this.#number) {
      this.#number = number;
      this.#scene = unpackedScene(this.#data.scenes[number]);
      this.#fillDrivers();
    }
    this.#show(this.#now());
  }

  #fillDrivers() {
    const driven = this.#drives.flatMap((drive, number) => (drive ? [number] : []));
    this.#part("driver").replaceChildren(...driven.map((number) => new Option(this.#name(number).name, number)));
    this.#part("driver").hidden = driven.length < 2;
    const same = driven.find((number) => this.#name(number).name === this.#part("decisions-panel").dataset.driver);
    this.#drive(same ?? driven[0] ?? 0);
  }

  #drive(number) {
    this.#driver = number;
    this.#chosen = null;
    this.#part("driver").value = number;
    if (this.#driven) this.#part("decisions-panel").dataset.driver = this.#name(number).name;
    this.#fill();
  }

  /** The decision of now: the one that was asked for, or the last; none before the first. */
  #now() {
    const time = this.#time();
    if (this.#chosen && Math.abs(this.#chosen.time - time) < EXACT) return this.#chosen;
    return this.#decisions.findLast((each) => each.time <= time + 1e-6) ?? null;
  }

  /** The last decision that the robot had before a time. */
  #lastBefore(time) {
    return this.#decisions.findLast((each) => each.arrives < time) ?? null;
  }

  // Marks on the time line, and the list of contacts

  #fill() {
    const on = this.#driven && this.#part("legend").querySelectorAll("input")[this.#driver]?.checked;
    const decisions = on ? this.#decisions : [];
    for (const each of decisions) each.mark = this.#mark(each);
    this.#part("decided").replaceChildren(...decisions.map((each) => each.mark));
    this.#part("led").replaceChildren(...(on ? this.#contacts.map((contact) => this.#led(contact)) : []));
    for (const id of ["decision-before", "decision-after"]) this.#part(id).disabled = !decisions.length;
    this.#shown = undefined;
    this.#show(this.#now());
  }

  #mark(decision) {
    const words = `${this.#numbered(decision)}: ${chose(decision)}`;
    const kind = decision.chosen === null ? "silent" : this.#judged(decision).wrong.length ? "wrong" : "right";
    const mark = element("button", { type: "button", className: kind, title: words, tabIndex: -1, ariaLabel: words });
    mark.style.left = `${(100 * decision.time) / (Number(this.#part("time").max) || 1)}%`;
    mark.addEventListener("click", () => this.#choose(decision));
    return mark;
  }

  #led(contact) {
    const [person, begins, , , , cause] = contact;
    const decision = this.#lastBefore(begins);
    const number = decision?.people.find(([, track]) => track === person)?.[0];
    const who = number === undefined ? "somebody it was not shown" : `person ${number}`;
    const button = element("button", { type: "button", className: cause.split(" ")[0], disabled: !decision });
    button.title = decision ? "To the last decision that the robot had before" : "Nothing was decided yet";
    button.append(element("b", { textContent: `${begins.toFixed(1)} s` }), ` ${who}, ${CAUSES[cause] ?? cause}`);
    button.addEventListener("click", () => this.#choose(decision));
    const item = element("li", {});
    item.append(button);
    return item;
  }

  /** A contact on the time line leads to the last decision before it, too. */
  #clicked(mark) {
    if (!mark.classList.contains("contact")) return;
    const time = (parseFloat(mark.style.left) / 100) * Number(this.#part("time").max);
    const near = this.#contacts.find((contact) => Math.abs(contact[1] - time) < 0.005);
    const decision = near && this.#lastBefore(near[1]);
    if (decision) this.#choose(decision);
  }

  // Asking for one

  /** Go to a decision, as if somebody had moved the time there. */
  #choose(decision) {
    this.#chosen = decision;
    const line = this.#part("time");
    line.value = decision.time;
    line.dispatchEvent(new Event("input"));
    this.#show(decision);
    this.#part("said").textContent = `${this.#numbered(decision)}: ${chose(decision)}`;
  }

  /** To the next decision, or the one before, as far as there are any. */
  #leap(by) {
    const decisions = this.#decisions;
    const here = decisions.indexOf(this.#now());
    const within = here >= 0 && Math.abs(decisions[here].time - this.#time()) >= EXACT;
    const next = decisions[by < 0 && within ? here : here + by];
    if (next) this.#choose(next);
  }

  /** To the last decision before the next contact, or before the one before. */
  #leapToContact(by) {
    const led = this.#contacts.map((contact) => this.#lastBefore(contact[1])).filter(Boolean);
    const here = this.#now()?.time ?? -1;
    const next = by > 0 ? led.find((each) => each.time > here) : led.findLast((each) => each.time < here);
    if (next) this.#choose(next);
  }

  #press(event) {
    const typed = event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT";
    const act = { d: (by) => this.#leap(by), c: (by) => this.#leapToContact(by) }[event.key.toLowerCase()];
    if (typed || !act) return;
    event.preventDefault();
    act(event.shiftKey ? -1 : 1);
  }

  // The panel

  #numbered(decision) {
    return `Decision ${this.#decisions.indexOf(decision) + 1} of ${this.#decisions.length}, ${decision.time.toFixed(1)} s`;
  }

  #show(decision) {
    const on = this.#part("decided").childElementCount > 0;
    const shown = on ? decision : null;
    if (shown) this.#tellLate(shown);
    if (shown === this.#shown) return;
    this.#shown?.mark?.classList.remove("now");
    shown?.mark.classList.add("now");
    this.#shown = shown;
    this.#part("decision").hidden = !shown;
    this.#part("undecided").hidden = Boolean(shown);
    this.#part("undecided").textContent = on ? "Nothing is decided yet." : "No model decided here, or its drive is switched off.";
    this.#part("decisions-title").textContent = shown ? this.#numbered(shown) : "Decisions";
    [...this.#part("led").children].forEach((item, k) => {
      item.firstChild.setAttribute("aria-current", Boolean(shown) && this.#lastBefore(this.#contacts[k][1]) === shown);
    });
    this.#drawMap();
    if (shown) this.#tell(shown);
  }

  #tell(decision) {
    this.#part("letter").textContent = decision.chosen ?? "–";
    this.#part("chosen").textContent = chose(decision);
    const rules = Object.keys(RULES).filter((rule) => rule in decision.rules);
    this.#part("rules").replaceChildren(...rules.map((rule) => {
      const item = element("li", { className: decision.rules[rule] === decision.chosen ? "same" : "" });
      item.append(element("b", { textContent: decision.rules[rule] }), ` ${RULES[rule]}`);
      return item;
    }));
    this.#tellSeen(decision);
    this.#tellAsked(decision.asked);
    this.#part("said-text").textContent = decision.reply || "(nothing)";
    this.#part("said-problem").textContent = decision.problem;
    this.#tellAnswers(decision);
  }

  #tellLate(decision) {
    const took = `The reply took ${decision.took.toFixed(2)} s`;
    let words = decision.took ? `${took}; the world waited.` : "";
    if (!this.#driven.waits) {
      const before = this.#decisions.indexOf(this.#lastBefore(this.#time() + EXACT)) + 1;
      const waiting = before ? ` Until then decision ${before} is in force.` : " Until then the robot stands.";
      const late = this.#time() < decision.arrives - EXACT ? waiting : "";
      words = `${took}: the robot had it at ${decision.arrives.toFixed(2)} s.${late}`;
    }
    if (this.#part("late").textContent !== words) this.#part("late").textContent = words;
  }

  #tellSeen(decision) {
    const { sees, problem } = this.#driven;
    const picture = decision.asked?.picture;
    this.#part("saw").hidden = !picture;
    this.#part("near").toggleAttribute("hidden", Boolean(picture));
    if (picture) {
      this.#part("saw").src = `data:image/jpeg;base64,${picture}`;
      this.#part("saw").alt = `What the model saw, ${this.#numbered(decision)}`;
    } else this.#drawNear(decision);
    const missing = ` Its picture ${absent(problem)}.`;
    const words = sees ? `Drawn for this page.${missing}` : "It saw no picture: it was told this in words. Drawn for this page.";
    this.#part("saw-words").textContent = picture ? "As it was sent, but smaller." : words;
  }

  #tellAsked(asked) {
    this.#part("asked-none").textContent = asked ? "" : `This ${absent(this.#driven.problem)}.`;
    for (const kind of ["questions", "choice"]) {
      const packed = asked?.[kind];
      this.#part(`asked-${kind}`).hidden = !packed;
      this.#part(`asked-${kind}`).querySelector("pre").textContent = packed ? this.#text(packed) : "";
    }
  }

  #text(packed) {
    let line = 0;
    return numbersIn(packed).map((step) => this.#told.lines[(line += step)]).join("\n");
  }

  // Answers against what is true

  #judged(decision) {
    if (decision.judged) return decision.judged;
    const found = { wrong: [], silent: [], right: [], unclear: [] };
    const numbers = numbersIn(decision.answers);
    for (let k = 0; k < numbers.length; k += 3) {
      const [asked, said, isTrue] = [numbers[k], numbers[k + 1], numbers[k + 2]];
      const kind = !said ? "silent" : !isTrue ? "unclear" : said === isTrue ? "right" : "wrong";
      found[kind].push({ asked: this.#told.questions[asked], said: this.#told.options[said], isTrue: this.#told.options[isTrue] });
    }
    return (decision.judged = found);
  }

  #tellAnswers(decision) {
    const judged = this.#judged(decision);
    const kinds = Object.keys(JUDGED).filter((kind) => judged[kind].length);
    const thought = kinds.some((kind) => kind !== "silent");
    const counted = kinds.map((kind) => element("span", { className: kind, textContent: `${judged[kind].length} ${thought ? JUDGED[kind] : "known"}` }));
    this.#part("counts").replaceChildren(...counted);
    this.#part("answers").replaceChildren(...kinds.map((kind) => this.#answers(kind, judged[kind], thought)));
  }

  #answers(kind, answers, thought) {
    const folded = element("details", { open: Boolean(this.#open[kind]), className: kind });
    folded.addEventListener("toggle", () => (this.#open[kind] = folded.open));
    const title = thought ? JUDGED[kind] : "known, but not asked";
    const list = element("ul", {});
    for (const { asked, said, isTrue } of answers) {
      const item = element("li", { textContent: asked });
      const words = [said && ["said ", said], isTrue && kind !== "right" && ["true ", isTrue]].filter(Boolean);
      const line = element("small", {});
      words.forEach(([what, which], k) => line.append(k ? ", " : "", what, element("b", { textContent: which })));
      item.append(line);
      list.append(item);
    }
    folded.append(element("summary", { textContent: `${answers.length} ${title}` }), list);
    return folded;
  }

  // Where it could go, on the player's map and near the robot

  #drawMap() {
    const [map, decision] = [this.#part("choices"), this.#shown];
    const { clientWidth: width, clientHeight: height } = this.#part("view");
    if (!this.#scene || !width || !height) return;
    const [x0, y0, x1, y1] = this.#scene.box.map((metres) => 100 * metres);
    map.setAttribute("viewBox", `${x0} ${-y1} ${x1 - x0} ${y1 - y0}`);
    const pixel = Math.max((x1 - x0) / width, (y1 - y0) / height); // in centimetres
    const at = (x, y) => [100 * x, -100 * y];
    map.replaceChildren(...(decision ? waypoints(decision, at, pixel, false) : []));
  }

  #drawNear(decision) {
    const [x, y, heading] = decision.pose;
    const [cos, sin] = [Math.cos(heading), Math.sin(heading)];
    const at = (px, py) => [100 * (sin * (px - x) - cos * (py - y)), -100 * (cos * (px - x) + sin * (py - y))];
    const floor = this.#part("near-floor");
    floor.setAttribute("href", `#place-${this.#scene.place}`);
    floor.setAttribute("transform", `matrix(${[sin, -cos, -cos, -sin, ...at(0, 0)].join(" ")})`);
    const drive = this.#scene.drives[this.#driver];
    const crowd = this.#scene.crowds[drive.crowd];
    const touched = this.#contacts.filter((contact) => this.#lastBefore(contact[1]) === decision).map(([person]) => person);
    const people = peopleAt(crowd, decision.time).filter((each) => Math.hypot(each.x - x, each.y - y) < EYESHOT);
    const discs = people.flatMap((each) => {
      const number = decision.people.find(([, track]) => track === each.person)?.[0];
      const look = touched.includes(each.person) ? "person touched" : "person";
      return walker(at(each.x, each.y), at(each.x + each.vx, each.y + each.vy), 100 * crowd.radius, look, number);
    });
    const robot = drawn("circle", { class: `robot ${this.#name(this.#driver).look}`, r: 100 * drive.radius });
    const nose = drawn("path", { class: "nose", d: `M0 0V${-75 * drive.radius}` });
    const [gx, gy] = at(...decision.goal);
    const goal = drawn("path", { class: "to-goal", d: `M0 0L${gx.toFixed(0)} ${gy.toFixed(0)}` });
    this.#part("near-all").replaceChildren(goal, ...discs, robot, nose, ...waypoints(decision, at, 2.6, true));
  }
}

/** Diamonds where the robot could go, with a line to the one that was chosen. */
function waypoints({ candidates, chosen, pose }, at, pixel, lettered) {
  const [x, y] = at(pose[0], pose[1]);
  const taken = candidates.find(([letter]) => letter === chosen);
  const ordered = [...candidates.filter((each) => each !== taken), ...(taken ? [taken] : [])];
  const marks = ordered.flatMap(([letter, cx, cy]) => {
    const [left, top] = at(cx, cy);
    const is = letter === chosen;
    const reach = (is ? 10 : lettered ? 8.5 : 4) * pixel;
    const shape = drawn("path", { class: is ? "waypoint taken" : "waypoint", d: `M${left - reach} ${top}l${reach}${-reach} ${reach} ${reach}${-reach} ${reach}z` });
    const written = drawn("text", { class: "named", x: left, y: top + 0.36 * reach, "font-size": 1.05 * reach }, letter);
    return is || lettered ? [shape, written] : [shape];
  });
  const [tx, ty] = taken ? at(taken[1], taken[2]) : [x, y];
  return [drawn("path", { class: "to-taken", d: `M${x} ${y}L${tx} ${ty}` }), ...marks];
}

function walker([x, y], [toX, toY], radius, look, number) {
  const way = drawn("path", { class: "walks", d: `M${x.toFixed(0)} ${y.toFixed(0)}L${toX.toFixed(0)} ${toY.toFixed(0)}` });
  const disc = drawn("circle", { class: look, cx: x, cy: y, r: radius });
  const words = number === undefined ? [] : [drawn("text", { class: "named", x, y: y + 8, "font-size": 24 }, number)];
  return [way, disc, ...words];
}

function absent(problem) {
  return problem ? `is not in this page: ${problem}` : "found no room in this page";
}

function chose({ candidates, chosen, pose, problem }) {
  const taken = candidates.find(([letter]) => letter === chosen);
  if (!taken) return problem ? "No waypoint: the robot stops" : "No waypoint";
  const [letter, cx, cy, speed] = taken;
  const [dx, dy, cos, sin] = [cx - pose[0], cy - pose[1], Math.cos(pose[2]), Math.sin(pose[2])];
  if (Math.hypot(dx, dy) < 0.03) return `${letter}: stay`;
  const [ahead, left] = [cos * dx + sin * dy, cos * dy - sin * dx];
  const along = `${Math.abs(ahead).toFixed(1)} m ${ahead < 0 ? "behind" : "ahead"}`;
  const aside = Math.abs(left) < 0.05 ? "" : `, ${Math.abs(left).toFixed(1)} m to the ${left > 0 ? "left" : "right"}`;
  return `${letter}: ${along}${aside}, at ${speed.toFixed(1)} m/s`;
}

/** All numbers: in all but the last byte of each the highest bit is set. */
function numbersIn(packed) {
  const numbers = new Numbers(packed);
  const count = [...atob(packed)].filter((sign) => sign.charCodeAt(0) < 128).length;
  return Array.from({ length: count }, () => numbers.next());
}

function drawn(kind, attributes, words = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (words !== "") made.textContent = words;
  return made;
}

new Decisions(data);
