/** What the person holds: keys, a mouse, a finger or a gamepad, as one wish at a time. */

const DIRECTIONS = {
  ArrowUp: [0, 1], KeyW: [0, 1], ArrowDown: [0, -1], KeyS: [0, -1],
  ArrowLeft: [-1, 0], KeyA: [-1, 0], ArrowRight: [1, 0], KeyD: [1, 0],
};
const SLOWLY = 0.4; // with Shift
const STICK = 60; // pixels from the middle of a finger's stick to its rim
const DEAD = 0.15; // of a stick that nobody touches
const PAD = { up: 12, down: 13, left: 14, right: 15 }; // buttons of a gamepad
const ACTING = 4; // the first buttons, which start a drive
const NOTHING = { by: "nothing", x: 0, y: 0 };

export const isDirection = (code) => code in DIRECTIONS;

export class Wheel {
  #canvas;
  #placeAt; // metres of a point of the canvas
  #changed; // called with what is held, when it is something else
  #keys = new Set();
  #slowly = false;
  #pointer = null; // its id, kind, where it went down and where it is
  #buttons = false; // whether one of a gamepad's was down
  #said = NOTHING;

  constructor(canvas, placeAt, changed) {
    [this.#canvas, this.#placeAt, this.#changed] = [canvas, placeAt, changed];
    addEventListener("keydown", (event) => this.#key(event, true));
    addEventListener("keyup", (event) => this.#key(event, false));
    addEventListener("blur", () => this.letGo());
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, (event) => this.#up(event));
  }

  letGo() {
    this.#keys.clear();
    this.#pointer = null;
    this.poll();
  }

  /** The finger's stick, to be drawn: its middle and its knob, in pixels of the canvas. */
  get stick() {
    if (this.#pointer?.type !== "touch") return null;
    const [x, y] = this.#pull();
    return { from: this.#pointer.from, to: [this.#pointer.from[0] + x * STICK, this.#pointer.from[1] - y * STICK] };
  }

  /** Say what is held if it has changed; called with every frame, for mice and gamepads. */
  poll() {
    const held = this.#held();
    const said = this.#said;
    if (held.by === said.by && held.x === said.x && held.y === said.y) return;
    this.#said = held;
    this.#changed(held);
  }

  /** Whether a button of a gamepad has gone down since this was asked last. */
  get clicked() {
    const before = this.#buttons;
    this.#buttons = gamepads().some((pad) => pad.buttons.slice(0, ACTING).some((button) => button.pressed));
    return this.#buttons && !before;
  }

  /** Say again what is held, to somebody who may not have heard it. */
  repeat() {
    this.#changed(this.#said);
  }

  #held() {
    if (this.#keys.size) return wish("keys", ...this.#byKeys());
    if (this.#pointer?.type === "touch") return wish("touch", ...this.#pull());
    if (this.#pointer) return { by: "mouse", ...rounded(this.#placeAt(...this.#pointer.at)) };
    return wish("gamepad", ...byGamepad());
  }

  #byKeys() {
    let [x, y] = [0, 0];
    for (const code of this.#keys) {
      x += DIRECTIONS[code][0];
      y += DIRECTIONS[code][1];
    }
    [x, y] = [Math.sign(x), Math.sign(y)];
    const share = (this.#slowly ? SLOWLY : 1) / (Math.hypot(x, y) || 1);
    return [x * share, y * share];
  }

  #pull() {
    const { from, at } = this.#pointer;
    const [x, y] = [(at[0] - from[0]) / STICK, (from[1] - at[1]) / STICK];
    return withoutRest(x, y);
  }

  #key(event, down) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    this.#slowly = event.shiftKey;
    if (isDirection(event.code)) {
      if (down && /^(SELECT|INPUT)$/.test(event.target.tagName)) return; // moves in a list
      event.preventDefault(); // the page does not scroll
      if (down) this.#keys.add(event.code);
      else this.#keys.delete(event.code);
    }
    if (!event.repeat) this.poll();
  }

  #down(event) {
    if (this.#pointer || event.button > 0) return;
    event.preventDefault();
    this.#canvas.focus({ preventScroll: true });
    this.#canvas.setPointerCapture(event.pointerId);
    const at = [event.offsetX, event.offsetY];
    this.#pointer = { id: event.pointerId, type: event.pointerType, from: at, at };
    this.poll();
  }

  #move(event) {
    if (this.#pointer?.id === event.pointerId) this.#pointer.at = [event.offsetX, event.offsetY];
  }

  #up(event) {
    if (this.#pointer?.id !== event.pointerId) return;
    this.#pointer = null;
    this.poll();
  }
}

function gamepads() {
  return [...(navigator.getGamepads?.() ?? [])].filter(Boolean);
}

function byGamepad() {
  for (const pad of gamepads()) {
    const pressed = (name) => Number(pad.buttons[PAD[name]]?.pressed ?? false);
    const [x, y] = [pressed("right") - pressed("left"), pressed("up") - pressed("down")];
    const found = x || y ? [x, y] : withoutRest(pad.axes[0] ?? 0, -(pad.axes[1] ?? 0));
    if (found[0] || found[1]) return found;
  }
  return [0, 0];
}

/** A pull of at most 1, beginning where a stick does not just lie loose. */
function withoutRest(x, y) {
  const pull = Math.hypot(x, y);
  if (pull < DEAD) return [0, 0];
  const share = Math.min((pull - DEAD) / (1 - DEAD), 1) / pull;
  return [x * share, y * share];
}

function wish(by, x, y) {
  return x || y ? { by, ...rounded([x, y]) } : NOTHING;
}

function rounded([x, y]) {
  return { x: Math.round(x * 100) / 100, y: Math.round(y * 100) / 100 };
}
