/** The page of an exam comes to life. */

import { make, personChip } from "./cards.js";
import { Frames } from "./frames.js";
import { List } from "./list.js";
import { startTheme } from "../theme.js";

const data = JSON.parse(document.getElementById("data").textContent);
const part = (id) => document.getElementById(id);
const frames = new Frames(data.scenes);
let list = null;

function open(scene) {
  if (scene === frames.scene) return;
  frames.open(scene);
  const chips = data.scenes[scene].people.map((person) => {
    const button = make("button", "chip", personChip(person));
    button.type = "button";
    button.setAttribute("aria-label", `Questions about person ${person[0]}`);
    button.addEventListener("click", () => list.filter({ scene, person: person[0] }));
    return button;
  });
  part("who").replaceChildren(...(chips.length ? ["People ", ...chips] : ["Nobody is numbered here."]));
}

function leap(by) {
  const count = data.scenes.length;
  if (count) visit((frames.scene + by + count) % count);
}

function visit(scene) {
  open(scene);
  list.reveal(scene);
}

const KEYS = {
  ArrowLeft: () => frames.step(-1),
  ArrowRight: () => frames.step(1),
  " ": () => frames.toggle(),
  j: () => list.move(1),
  k: () => list.move(-1),
  n: () => leap(1),
  p: () => leap(-1),
};
const ON_A_QUESTION = {
  ArrowDown: () => list.move(1),
  ArrowUp: () => list.move(-1),
  Enter: () => list.toggleReply(),
};

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea")) return;
  if (event.key === " " && event.target.closest("button, summary")) return;
  const act = (event.target.matches(".question") && ON_A_QUESTION[event.key]) || KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

list = new List(data, open);
part("choice").addEventListener("change", (event) => visit(Number(event.target.value)));
part("previous").addEventListener("click", () => leap(-1));
part("next").addEventListener("click", () => leap(1));
part("enlarge").addEventListener("click", () => {
  part("enlarge").setAttribute("aria-pressed", part("browse").classList.toggle("large"));
});
for (const button of document.querySelectorAll("[data-kind]")) {
  button.addEventListener("click", () => {
    list.filter({ kind: button.dataset.kind });
    part("questions").scrollIntoView();
  });
}
document.addEventListener("keydown", press);
startTheme(() => {});
