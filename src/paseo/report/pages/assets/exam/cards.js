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
  const head = make("header", "", make("h3", "", kind.title), make("span", "tag", kind.reasoning), data.models ? tally(data, question) : badge(question));
  if (person) head.prepend(personChip(person));
  const card = make("article", "question panel", head, make("p", "asked", data.lines[question.text]), votes(data, question, kind));
  card.append(...question.said.map((said) => reply(data, question, said)));
  card.dataset.number = number;
  card.tabIndex = 0;
  card.setAttribute("aria-label", `${kind.title}${person ? `, person ${person[0]}` : ""}`);
  return card;
}

/** How many of several models say what most people say. */
function tally(data, question) {
  const most = Math.max(0, ...question.votes.map(([, count]) => count));
  const best = new Set(question.votes.filter(([, count]) => count === most).map(([option]) => String(option)));
  const agreeing = new Set(question.said.filter((said) => said.option && best.has(String(said.option))).map((said) => said.by));
  const asked = new Set(question.said.map((said) => said.by)).size;
  if (!asked || !most) return "";
  const look = agreeing.size === asked ? "agrees" : "differs";
  return make("span", `badge ${look}`, `${agreeing.size} of ${asked} with most people`);
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
function votes(data, question, kind) {
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
    const row = make("li", "", make("span", "name", name), make("span", "vote", bar), make("span", "number", people ? String(count) : ""), chosen(data, question, option, times));
    row.classList.toggle("most", people > 0 && count === most);
    row.classList.toggle("chosen", times > 0);
    return row;
  });
  const list = make("ul", people ? "votes" : "votes without", ...rows);
  list.setAttribute("aria-label", people ? `Answers of ${people} people` : "Choices");
  return list;
}

/** Who chose an option: the model, or of several models their letters. */
function chosen(data, question, option, times) {
  if (!data.models) return make("span", "model", times > 1 ? `model ×${times}` : times ? "model" : "");
  const who = question.said.filter((said) => said.option && String(said.option) === option).map((said) => said.by);
  return make("span", "model several", ...[...new Set(who)].map((by) => letter(data, by)));
}

/** The letter of one of several models, in its colour. */
function letter(data, by) {
  const made = make("b", `letter p${by}`, String.fromCharCode(65 + by));
  made.title = data.models[by];
  return made;
}

function reply(data, question, said) {
  const request = data.requests[said.request];
  const told = words(data, question, said, request);
  const summary = data.models ? make("summary", "", letter(data, said.by), `${data.models[said.by]} · ${told}`) : make("summary", "", told);
  const part = make("details", "reply", summary);
  if (said.problem) part.append(make("p", "problem", `Not readable: ${said.problem}`));
  if (request.failure) part.append(make("p", "problem", request.failure));
  part.addEventListener("toggle", () => fill(part, data, request), { once: true });
  return part;
}

function words(data, question, said, request) {
  const own = question.said.filter((each) => each.by === said.by);
  const which = data.repeats > 1 ? `Reply ${own.indexOf(said) + 1}` : "Reply";
  if (request.failure !== undefined) return `No reply · ${counted(request.attempts, "attempt")}`;
  const facts = [which, `${request.latency_s?.toFixed(2) ?? "?"} s`];
  if (request.tokens) facts.push(`${request.tokens[0].toLocaleString("en")} tokens in, ${request.tokens[1].toLocaleString("en")} out`);
  if (request.thought) facts.push(`${request.thought.toLocaleString("en")} of them thoughts`);
  if (request.cost_usd) facts.push(`$${request.cost_usd.toPrecision(2)}`);
  if (request.attempts > 1) facts.push(counted(request.attempts, "attempt"));
  if (request.ending !== "stop") facts.push(`ended by ${request.ending}`);
  return facts.join(" · ");
}

function counted(number, thing) {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}

function fill(part, data, request) {
  if (request.thoughts) {
    const thoughts = make("details", "prompt thoughts", make("summary", "", "What it thought before"));
    thoughts.append(make("pre", "", request.thoughts));
    part.append(thoughts);
  }
  if (request.reply !== undefined) {
    const more = request.more ? `\n… ${request.more.toLocaleString("en")} more characters` : "";
    part.append(make("pre", "raw", request.reply + more || "(empty)"));
  }
  if (!request.prompt.length) return;
  const prompt = make("details", "prompt", make("summary", "", "The whole prompt"));
  prompt.append(make("pre", "", request.prompt.map((line) => data.lines[line]).join("\n")));
  part.append(prompt);
}
