/** Plays the frames of a scene, waits for clips, and stores every answer the moment it is given. */

document.documentElement.classList.add("script");

const player = document.querySelector(".player");
const form = document.querySelector("form.step");

class Frames {
  #images = [...player.querySelectorAll(".frames img")];
  #time = document.getElementById("time");
  #clock = document.getElementById("clock");
  #button = document.getElementById("play");
  #place = `frame ${form.dataset.scene}`;
  #number = 0;
  #timer = null;

  constructor() {
    player.querySelector(".transport").hidden = this.#images.length < 2;
    player.querySelector(".keys").hidden = this.#images.length < 2;
    this.#time.addEventListener("input", () => this.#seek(Number(this.#time.value)));
    document.getElementById("back").addEventListener("click", () => this.step(-1));
    document.getElementById("forward").addEventListener("click", () => this.step(1));
    this.#button.addEventListener("click", () => this.toggle());
    this.#seek(Number(sessionStorage.getItem(this.#place)) || 0);
  }

  step(by) {
    this.#pause();
    this.#seek(this.#number + by);
  }

  toggle() {
    if (this.#timer) this.#pause();
    else {
      const period = Number(player.dataset.periodS) * 1000;
      this.#timer = setInterval(() => this.#seek((this.#number + 1) % this.#images.length), period);
      this.#show(player.dataset.pause);
    }
  }

  #pause() {
    clearInterval(this.#timer);
    this.#timer = null;
    this.#show(player.dataset.play);
  }

  #show(words) {
    this.#button.setAttribute("aria-label", words);
    this.#button.classList.toggle("playing", this.#timer !== null);
  }

  #seek(number) {
    this.#number = Math.min(Math.max(number, 0), this.#images.length - 1);
    this.#images.forEach((image, k) => {
      image.classList.toggle("shown", k === this.#number);
      image.setAttribute("aria-hidden", k !== this.#number);
    });
    const words = this.#images[this.#number].alt;
    this.#time.value = this.#number;
    this.#time.setAttribute("aria-valuetext", words);
    this.#clock.value = words;
    sessionStorage.setItem(this.#place, this.#number);
  }
}

/** Keeps the questions closed until every clip has been played to its end once, or cannot be. */
class Clips {
  #films = [...document.querySelectorAll(".clip video")];
  #place = `played ${form.dataset.scene} ${form.elements.step.value}`;
  #unseen = new Set(this.#films);
  #waiting = form.querySelector(".waiting");

  constructor() {
    if (sessionStorage.getItem(this.#place) || form.querySelector("input:checked")) return;
    this.#close(true);
    this.#films.forEach((film) => {
      film.addEventListener("ended", () => this.#saw(film));
      film.addEventListener("error", () => this.#open());
      if (film.error || film.ended) this.#saw(film);
    });
    this.#waiting.querySelector("button").addEventListener("click", () => this.#open());
  }

  /** Plays or pauses the first clip that has not been seen yet. */
  toggle() {
    const film = this.#films.find((each) => this.#unseen.has(each)) ?? this.#films[0];
    if (film.paused) film.play();
    else film.pause();
  }

  #saw(film) {
    this.#unseen.delete(film);
    if (!this.#unseen.size) this.#open();
  }

  #open() {
    sessionStorage.setItem(this.#place, "yes");
    this.#close(false);
  }

  #close(closed) {
    this.#waiting.hidden = !closed;
    form.querySelectorAll("fieldset, button.main").forEach((each) => (each.disabled = closed));
  }
}

/** Seconds for which the page could be seen. */
class Watch {
  #seconds = 0;
  #since = document.hidden ? null : performance.now();

  constructor() {
    document.addEventListener("visibilitychange", () => {
      this.#seconds = this.now();
      this.#since = document.hidden ? null : performance.now();
    });
  }

  now() {
    return this.#seconds + (this.#since === null ? 0 : (performance.now() - this.#since) / 1000);
  }
}

/** Sends answers one after the other, again and again until each has arrived. */
class Answers {
  #waiting = [];
  #busy = false;
  #sent = 0;
  #watch = new Watch();
  #state = form.querySelector(".state");

  constructor() {
    form.addEventListener("change", (event) => this.#take(event.target.name));
    form.addEventListener("submit", () => {
      form.elements.on_page_s.value = this.#watch.now().toFixed(3);
      form.elements.turn.value = ++this.#sent;
    });
  }

  #take(question) {
    const marked = form.querySelectorAll(`input[name="${CSS.escape(question)}"]:checked`);
    if (!marked.length) return;
    const fields = new URLSearchParams({
      csrf: form.elements.csrf.value,
      scene: form.elements.scene.value,
      step: form.elements.step.value,
      token: form.elements.token.value,
      turn: ++this.#sent, // should it arrive late, it does not undo what was sent after it
      on_page_s: this.#watch.now().toFixed(3),
    });
    marked.forEach((each) => fields.append(question, each.value));
    this.#waiting.push(fields);
    this.#send();
  }

  async #send() {
    if (this.#busy) return;
    this.#busy = true;
    for (let pause = 1; this.#waiting.length; ) {
      this.#tell(form.dataset.saving, false);
      const status = await this.#post(this.#waiting[0]);
      if (status >= 200 && status < 300) {
        this.#waiting.shift();
        pause = 1;
      } else if (status >= 400 && status < 500 && status !== 429) {
        location.reload(); // the page is no longer the one that is due
        return;
      } else {
        this.#tell(form.dataset.unsaved, true);
        await new Promise((done) => setTimeout(done, 1000 * pause));
        pause = Math.min(2 * pause, 30);
      }
    }
    this.#tell(form.dataset.saved, false);
    this.#busy = false;
  }

  async #post(body) {
    try {
      return (await fetch("/answer", { method: "POST", body, credentials: "same-origin" })).status;
    } catch {
      return 0;
    }
  }

  #tell(words, late) {
    this.#state.textContent = words;
    this.#state.classList.toggle("late", late);
  }
}

if (form) new Answers();

if (form && document.querySelector(".clips")) {
  const clips = new Clips();
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || event.target.closest("input, textarea, button, a, video")) return;
    clips.toggle();
    event.preventDefault();
  });
}

if (player && form) {
  const frames = new Frames();
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowLeft") frames.step(-1);
    else if (event.key === "ArrowRight") frames.step(1);
    else if (event.key === " " && !event.target.closest("button, a, summary")) frames.toggle();
    else return;
    event.preventDefault();
  });
}
