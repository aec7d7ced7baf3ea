/** Cards of questions: what was asked, what people said, what the model said. Text is only text. */

export function make(tag, look, ...children) {
  const made = document.createElement(tag);
  if (look) made.className = look;
  made.append(...children);
  return made;
}

export function personChip(person, look = "person") {
  const [number, colour, ink] = person;
  const chip = make("span", look, String(number));
  chip.style.background = colour;
  chip.style.color = ink;
  return chip;
}

/** The card of a question; replies and prompts are filled in when they are opened. */
export function questionCard(data, number) {
  const question = data.questions[number];
  const kind = data.kinds[question.kind];
  const person = data.scenes[question.scene].people.find((each) => each[0] === question.person);
  const head = make("header", "", make("h3", "", kind.title), make("span", "tag", kind.reasoning), badge(question));
  if (person) head.prepend(personChip(person));
  const card = make("article", "question panel", head, make("p", "asked", data.lines[question.text]), votes(question, kind));
  card.append(...question.said.map((said) => reply(data, question, said)));
  card.dataset.number = number;
  card.tabIndex = 0;
  card.setAttribute("aria-label", `${kind.title}${person ? `, person ${person[0]}` : ""}`);
  return card;
}

const FAULTS = { invalid: "cannot be read", failed: "failed", open: "not asked yet" };

function badge(question) {
  const fault = Object.keys(FAULTS).find((state) => question.states.includes(state));
  if (fault) return make("span", `badge ${fault}`, FAULTS[fault] + howOften(question, fault));
  const people = total(question);
  if (!people) return "";
  const look = question.states.includes("differs") ? "differs" : "agrees";
  return make("span", `badge ${look}`, `${Math.round(100 * question.agreement)} % agree`);
}

/** Of several repeats only some may have a fault. */
function howOften(question, fault) {
  const had = { invalid: (said) => said.problem, failed: (said) => !said.problem && !said.option };
  const said = question.said;
  return said.length > 1 ? ` (${said.filter(had[fault]).length} of ${said.length})` : "";
}

export function total(question) {
  return question.votes.reduce((sum, [, count]) => sum + count, 0);
}

/** A bar for each choice, and for each set of choices that somebody took. */
function votes(question, kind) {
  const people = total(question);
  const counts = new Map(question.votes.map(([option, count]) => [String(option), count]));
  const taken = question.said.filter((said) => said.option).map((said) => String(said.option));
  const offered = kind.choices.map((_, k) => String(k));
  const shown = [...new Set([...offered, ...counts.keys(), ...taken])];
  const most = Math.max(0, ...counts.values());
  const rows = shown.map((option) => {
    const count = counts.get(option) ?? 0;
    const times = taken.filter((each) => each === option).length;
    const bar = make("i", "");
    bar.style.width = people ? `${(100 * count) / people}%` : "0";
    const name = option.split(",").map((k) => kind.choices[k]).join(" + ");
    const row = make("li", "", make("span", "name", name), make("span", "vote", bar), make("span", "number", people ? String(count) : ""), chosen(times));
    row.classList.toggle("most", people > 0 && count === most);
    row.classList.toggle("chosen", times > 0);
    return row;
  });
  const list = make("ul", people ? "votes" : "votes without", ...rows);
  list.setAttribute("aria-label", people ? `Answers of ${people} people` : "Choices");
  return list;
}

function chosen(times) {
  return make("span", "model", times > 1 ? `model ×${times}` : times ? "model" : "");
}

function reply(data, question, said) {
  const request = data.requests[said.request];
  const part = make("details", "reply", make("summary", "", words(data, question, said, request)));
  if (said.problem) part.append(make("p", "problem", `Not readable: ${said.problem}`));
  if (request.failure) part.append(make("p", "problem", request.failure));
  part.addEventListener("toggle", () => fill(part, data, request), { once: true });
  return part;
}

function words(data, question, said, request) {
  const which = data.repeats > 1 ? `Reply ${question.said.indexOf(said) + 1}` : "Reply";
  if (request.failure !== undefined) return `No reply · ${counted(request.attempts, "attempt")}`;
  const facts = [which, `${request.latency_s?.toFixed(2) ?? "?"} s`];
  if (request.tokens) facts.push(`${request.tokens[0].toLocaleString("en")} tokens in, ${request.tokens[1].toLocaleString("en")} out`);
  if (request.cost_usd) facts.push(`$${request.cost_usd.toPrecision(2)}`);
  if (request.attempts > 1) facts.push(counted(request.attempts, "attempt"));
  if (request.ending !== "stop") facts.push(`ended by ${request.ending}`);
  return facts.join(" · ");
}

function counted(number, thing) {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}

function fill(part, data, request) {
  if (request.reply !== undefined) {
    const more = request.more ? `\n… ${request.more.toLocaleString("en")} more characters` : "";
    part.append(make("pre", "raw", request.reply + more || "(empty)"));
  }
  if (!request.prompt.length) return;
  const prompt = make("details", "prompt", make("summary", "", "The whole prompt"));
  prompt.append(make("pre", "", request.prompt.map((line) => data.lines[line]).join("\n")));
  part.append(prompt);
}
