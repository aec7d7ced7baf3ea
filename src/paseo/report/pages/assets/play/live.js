/** A drive under way as the player's canvas draws it: a scene that grows with every state. */

const AHEAD = 16; // ms from the drawing of a frame to when it is seen, about

export class Live {
  scene;
  step = 0;
  speed = 0;
  touches = 0;
  #drive;
  #crowd;
  #stays = new Map(); // by person, where they go on
  #came = 0; // when the last state did

  constructor(told) {
    const samples = { step: told.dt, end: 0, count: 0 };
    this.#drive = { planner: 0, crowd: 0, radius: told.radius, ...samples, x: [], y: [], heading: [], contacts: [] };
    this.#crowd = { people: told.people, radius: told.person_radius, ...samples, stays: [] };
    this.scene = { ...told, place: 0, crowds: [this.#crowd], drives: [this.#drive] };
    this.#addPose(told.state.pose);
    this.#addPeople(0, told.state);
    this.#crowd.count = 1;
  }

  /** A state that the server has just told. */
  add(state, now) {
    if (state.step <= this.step) return;
    while (this.#drive.count < state.step) this.#addPose(this.pose); // it was not told meanwhile
    this.#addPose(state.pose);
    this.#addPeople(state.step, state);
    this.#crowd.count = state.step + 1;
    this.#crowd.end = this.#drive.end = state.step * this.scene.dt;
    this.#drive.contacts = state.contacts;
    [this.step, this.speed, this.touches, this.#came] = [state.step, state.speed, state.touches, now];
  }

  /** The contacts with their causes, which are known at the end. */
  conclude(contacts) {
    this.#drive.contacts = contacts;
    this.#came = 0;
  }

  get pose() {
    return [this.#drive.x, this.#drive.y, this.#drive.heading].map((values) => values.at(-1));
  }

  /** The time to draw now. A state is told when its step begins, so that the picture is on time. */
  timeAt(now) {
    const since = (now - this.#came + AHEAD) / 1000;
    return Math.max(this.#drive.end - this.scene.dt + Math.min(since, this.scene.dt), 0);
  }

  #addPose([x, y, heading]) {
    const drive = this.#drive;
    const before = drive.heading.at(-1) ?? heading;
    drive.x.push(x);
    drive.y.push(y);
    drive.heading.push(heading + 2 * Math.PI * Math.round((before - heading) / (2 * Math.PI)));
    drive.count += 1;
  }

  #addPeople(step, { people, places }) {
    people.forEach((person, k) => {
      let stay = this.#stays.get(person);
      if (!stay || stay.first + stay.count !== step) {
        stay = { person, first: step, count: 0, x: [], y: [] };
        this.#stays.set(person, stay);
        this.#crowd.stays.push(stay);
      }
      stay.x.push(places[k][0]);
      stay.y.push(places[k][1]);
      stay.count += 1;
    });
  }
}
