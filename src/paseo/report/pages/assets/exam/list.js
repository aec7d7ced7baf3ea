/** The questions that pass the filters, in order; only those near the window are made. */

import { make, questionCard, total } from "./cards.js";

const AT_ONCE = 30; // cards that are made together
const STATES = {
  all: "all questions", differs: "differs from most people", agrees: "says what most people say",
  split: "models disagree", invalid: "cannot be read", failed: "failed", open: "not asked yet", tolerant: "read tolerantly",
};

export class List {
  #data;
  #part = (id) => document.getElementById(id);
  #texts = []; // of questions, to search in
  #shown = []; // numbers of questions that pass
  #places = new Map(); // of those, by number
  #first = 0; // of the cards that are made, and the one after the last
  #end = 0;
  #selected = -1;
  #open; // called with the scene of what is selected

  constructor(data, open) {
    this.#data = data;
    this.#open = open;
    this.#fillChoices();
    const form = this.#part("filters");
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => this.apply());
    form.addEventListener("reset", () => setTimeout(() => this.apply()));
    this.#part("list").addEventListener("click", (event) => this.#take(event.target));
    this.#part("list").addEventListener("focusin", (event) => this.#take(event.target));
    this.#part("earlier").addEventListener("click", () => this.#makeEarlier());
    new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && this.#makeMore(), { rootMargin: "1200px" })
      .observe(this.#part("further"));
    this.apply();
  }

  /** Set some filters, leave the others, and show what passes. */
  filter(values) {
    for (const [id, value] of Object.entries(values)) this.#part(id).value = value;
    this.apply();
  }

  apply() {
    const passes = this.#test();
    this.#shown = this.#data.questions.map((_, number) => number).filter(passes);
    const order = this.#part("order").value;
    if (order !== "asked") this.#sort(order);
    this.#places = new Map(this.#shown.map((number, place) => [number, place]));
    this.#part("count").value = `${this.#shown.length.toLocaleString("en")} of ${this.#data.questions.length.toLocaleString("en")}`;
    this.#part("none").hidden = this.#shown.length > 0;
    this.#showFrom(0);
    if (this.#shown.length) this.#select(this.#shown[0]);
  }

  /** Go to the next question or the one before. */
  move(by) {
    const place = (this.#places.get(this.#selected) ?? -1) + by;
    if (place < 0 || place >= this.#shown.length) return;
    while (place < this.#first) this.#makeEarlier();
    while (place >= this.#end) this.#makeMore();
    const card = this.#card(this.#shown[place]);
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest" });
  }

  /** Go to the first question about a scene, if one passes the filters. */
  reveal(scene) {
    const place = this.#shown.findIndex((_, at) => this.#sceneAt(at) === scene);
    if (place < 0) return;
    if (place < this.#first || place >= this.#end) this.#showFrom(place);
    this.#select(this.#shown[place]);
    this.#card(this.#shown[place]).scrollIntoView({ block: "start" });
  }

  toggleReply() {
    const reply = this.#card(this.#selected)?.querySelector("details");
    if (reply) reply.open = !reply.open;
  }

  // Filters

  #fillChoices() {
    const { questions, kinds, scenes } = this.#data;
    const used = new Set(questions.map((question) => question.kind));
    const named = kinds.map((kind, number) => ({ ...kind, number })).filter((kind) => used.has(kind.number));
    const count = (state) => questions.filter((question) => state === "all" || question.states.includes(state)).length;
    for (const [state, words] of Object.entries(STATES)) {
      const found = count(state);
      if (found) this.#part("state").append(new Option(`${words} (${found.toLocaleString("en")})`, state));
    }
    const people = [...new Set(questions.map((question) => question.person))].filter(Boolean).sort((a, b) => a - b);
    this.#part("reasoning").append(...[...new Set(named.map((kind) => kind.reasoning))].map((name) => new Option(name)));
    this.#part("kind").append(...named.map((kind) => new Option(kind.title, kind.key)));
    this.#part("scene").append(...scenes.map((scene, number) => new Option(scene.id, number)));
    this.#part("person").append(...people.map((number) => new Option(`person ${number}`, number)));
  }

  #test() {
    const { questions, kinds } = this.#data;
    const [state, reasoning, kind, scene, person] = ["state", "reasoning", "kind", "scene", "person"].map((id) => this.#part(id).value);
    const wanted = this.#part("wanted").value.trim().toLowerCase();
    return (number) => {
      const question = questions[number];
      return (state === "all" || question.states.includes(state))
        && (!reasoning || kinds[question.kind].reasoning === reasoning)
        && (!kind || kinds[question.kind].key === kind)
        && (!scene || question.scene === Number(scene))
        && (!person || question.person === Number(person))
        && (!wanted || this.#text(number).includes(wanted));
    };
  }

  /** All that is written about a question, in small letters. */
  #text(number) {
    if (this.#texts[number] === undefined) {
      const { questions, kinds, scenes, lines, requests } = this.#data;
      const question = questions[number];
      const said = question.said.flatMap((each) => {
        const request = requests[each.request];
        const answer = (each.option ?? []).map((k) => kinds[question.kind].choices[k]);
        return [...answer, each.problem, request.reply, request.failure];
      });
      const parts = [question.key, kinds[question.kind].title, scenes[question.scene].id, lines[question.text], ...said];
      this.#texts[number] = parts.filter(Boolean).join("\n").toLowerCase();
    }
    return this.#texts[number];
  }

  #sort(order) {
    const { questions, requests } = this.#data;
    const worth = {
      agreement: (question) => question.agreement ?? 2,
      sure: (question) => -Math.max(0, ...question.votes.map(([, count]) => count)) / (total(question) || 1),
      latency: (question) => -Math.max(0, ...question.said.map((said) => requests[said.request].latency_s ?? 0)),
    }[order];
    const worths = questions.map(worth);
    this.#shown.sort((a, b) => worths[a] - worths[b] || a - b);
  }

  // Cards

  #card(number) {
    return this.#part("list").querySelector(`[data-number="${number}"]`);
  }

  #showFrom(place) {
    this.#first = this.#end = place;
    this.#part("list").replaceChildren();
    this.#makeMore();
  }

  #makeMore() {
    const end = Math.min(this.#end + AT_ONCE, this.#shown.length);
    this.#part("list").append(...this.#made(this.#end, end));
    this.#end = end;
    this.#part("further").hidden = end === this.#shown.length;
    this.#part("earlier").hidden = this.#first === 0;
  }

  #makeEarlier() {
    const end = this.#first;
    this.#first = Math.max(0, end - AT_ONCE);
    if (!this.#beginsScene(end)) this.#part("list").firstElementChild.remove(); // its heading
    this.#part("list").prepend(...this.#made(this.#first, end));
    this.#part("earlier").hidden = this.#first === 0;
  }

  /** Cards, with the name of a scene above the first of its questions. */
  #made(first, end) {
    const made = [];
    for (let place = first; place < end; place += 1) {
      if (this.#beginsScene(place)) made.push(make("h3", "scene", this.#data.scenes[this.#sceneAt(place)].id));
      made.push(questionCard(this.#data, this.#shown[place]));
    }
    return made;
  }

  #beginsScene(place) {
    return place === this.#first || this.#sceneAt(place - 1) !== this.#sceneAt(place);
  }

  #sceneAt(place) {
    return this.#data.questions[this.#shown[place]].scene;
  }

  #take(target) {
    const card = target.closest(".question");
    if (card) this.#select(Number(card.dataset.number));
  }

  #select(number) {
    this.#part("list").querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.#card(number)?.setAttribute("aria-current", "true");
    this.#selected = number;
    this.#open(this.#data.questions[number].scene);
  }
}
