/** The pictures of a scene, one at a time; decoded when the scene is opened, not before. */

const FRAME_S = 0.25; // seconds from one frame to the next

export class Frames {
  #scenes;
  #part = (id) => document.getElementById(id);
  #scene = -1;
  #pictures = [];
  #number = 0;
  #timer = null;

  constructor(scenes) {
    this.#scenes = scenes;
    scenes.forEach((scene, number) => this.#part("choice").append(new Option(scene.id, number)));
    this.#part("time").addEventListener("input", (event) => this.#seek(Number(event.target.value)));
    this.#part("back").addEventListener("click", () => this.step(-1));
    this.#part("forward").addEventListener("click", () => this.step(1));
    this.#part("play").addEventListener("click", () => this.toggle());
    this.#part("frames").addEventListener("click", () => this.toggle());
  }

  get scene() {
    return this.#scene;
  }

  /** Show a scene from its first frame; where it is open already, leave it as it is. */
  open(scene) {
    if (scene === this.#scene) return;
    this.pause();
    this.#scene = scene;
    this.#part("choice").value = scene;
    this.#pictures = this.#film(scene);
    this.#part("frames").replaceChildren(...this.#pictures);
    this.#part("frames").hidden = !this.#pictures.length;
    this.#part("no-frames").hidden = this.#pictures.length > 0;
    this.#part("transport").hidden = this.#pictures.length < 2;
    this.#part("time").max = Math.max(this.#pictures.length - 1, 0);
    this.#tellSize(scene);
    this.#seek(0);
  }

  step(by) {
    this.pause();
    this.#seek(this.#number + by);
  }

  toggle() {
    if (this.#timer) this.pause();
    else this.#play();
  }

  pause() {
    clearInterval(this.#timer);
    this.#timer = null;
    this.#showState("Play");
  }

  #play() {
    if (this.#pictures.length < 2) return;
    this.#timer = setInterval(() => this.#seek((this.#number + 1) % this.#pictures.length), FRAME_S * 1000);
    this.#showState("Pause");
  }

  #film(scene) {
    const text = this.#part(`film-${scene}`)?.textContent ?? "";
    return text.split("\n").filter(Boolean).map((content) => {
      const picture = new Image();
      picture.src = `data:image/jpeg;base64,${content}`;
      picture.alt = "";
      picture.decode().catch(() => {}); // ready before it is turned to
      return picture;
    });
  }

  /** In how many pixels the model got these pictures: that is how large they can be made. */
  #tellSize(scene) {
    const { width, height } = this.#part(`film-${scene}`)?.dataset ?? {};
    if (!width) return;
    this.#part("frames").style.setProperty("--sent-width", `${width}px`);
    this.#part("enlarge").title = `Enlarge the pictures to the ${width} × ${height} pixels that the model got`;
    const size = this.#part("size");
    size.value = `${width} × ${height} pixels, as the model got them`;
    const [first] = this.#pictures;
    first.decode().then(() => {
      if (this.#pictures[0] !== first || first.naturalWidth >= Number(width)) return;
      size.value += `; kept here with ${first.naturalWidth} × ${first.naturalHeight}`;
    }, () => {});
  }

  #seek(number) {
    const last = Math.max(this.#pictures.length - 1, 0);
    this.#number = Math.min(Math.max(number, 0), last);
    this.#pictures.forEach((picture, k) => picture.classList.toggle("shown", k === this.#number));
    const words = `Frame ${this.#number + 1} of ${last + 1}`;
    this.#part("time").value = this.#number;
    this.#part("time").setAttribute("aria-valuetext", words);
    this.#part("clock").value = `${words} · ${(this.#number * FRAME_S).toFixed(2)} s`;
    this.#part("frames").setAttribute("aria-label", `${this.#scenes[this.#scene]?.id}: ${words}`);
  }

  #showState(next) {
    this.#part("play").setAttribute("aria-label", next);
    this.#part("play").classList.toggle("playing", next === "Pause");
  }
}
