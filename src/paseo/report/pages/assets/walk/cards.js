/** The cards of the episodes: filtered, sorted, and leading to the player. */

const SUCCESS = "success";

export function startCards(data, open) {
  const cards = [...document.querySelectorAll("#cards .card")];
  const entries = cards.map((card, number) => ({ card, number, ...facts(data.scenes[number]) }));
  fillChoices(data, entries);
  for (const { card, number } of entries) {
    card.querySelector("button").addEventListener("click", () => open(number));
  }
  const form = document.getElementById("filters");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => arrange(entries));
  arrange(entries);
}

function facts(scene) {
  const failed = scene.drives.filter((drive) => drive.verdict !== SUCCESS);
  return {
    name: scene.title,
    map: scene.map,
    failures: failed.length,
    failed: new Set(failed.map((drive) => String(drive.planner))),
    contacts: scene.drives.reduce((sum, drive) => sum + drive.touches, 0),
    time: Math.max(...scene.drives.map((drive) => drive.end)),
  };
}

function fillChoices(data, entries) {
  const maps = [...new Set(entries.map((each) => each.map))].sort();
  document.getElementById("map").append(...maps.map((map) => new Option(map, map)));
  const kinds = [
    new Option("with a failure", "failed"),
    new Option("with contacts", "contacts"),
    new Option("solved by all", "solved"),
    ...data.planners.map((planner, number) => new Option(`failed by ${planner.name}`, `planner-${number}`)),
  ];
  document.getElementById("show").append(...kinds);
}

const SHOWN = {
  all: () => true,
  failed: (entry) => entry.failures > 0,
  contacts: (entry) => entry.contacts > 0,
  solved: (entry) => entry.failures === 0,
};

const ORDERS = {
  suite: (a, b) => a.number - b.number,
  name: (a, b) => a.name.localeCompare(b.name, "en"),
  failures: (a, b) => b.failures - a.failures || a.number - b.number,
  contacts: (a, b) => b.contacts - a.contacts || a.number - b.number,
  time: (a, b) => b.time - a.time || a.number - b.number,
};

function arrange(entries) {
  const chosen = (id) => document.getElementById(id).value;
  const wanted = chosen("wanted").trim().toLowerCase();
  const kind = chosen("show");
  const shown = SHOWN[kind] ?? ((entry) => entry.failed.has(kind.replace("planner-", "")));
  let count = 0;
  for (const entry of entries) {
    const fits = shown(entry) && (!chosen("map") || entry.map === chosen("map")) && entry.name.toLowerCase().includes(wanted);
    entry.card.hidden = !fits;
    count += fits;
  }
  const ordered = [...entries].sort(ORDERS[chosen("order")]);
  document.getElementById("cards").append(...ordered.map((entry) => entry.card));
  document.getElementById("count").value = `${count} of ${entries.length}`;
  document.getElementById("none").hidden = count > 0;
}
