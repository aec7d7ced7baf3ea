/** The canvas: one moment of an episode from above. */

import { peopleAt, poseAt } from "./scene.js";
import { colours } from "../theme.js";

const TRAIL = 4; // seconds that a person's trail is seen
const BANDS = 6; // of a trail, each fainter than the one after it
const QUICK = 0.3; // m/s from which on the tick of a person is full
const FULL_TURN = 2 * Math.PI;
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

export class View {
  #canvas;
  #context;
  #planners;
  #scene = null;
  #floor = null; // a Path2D in centimetres
  #ground = null; // the map as it was drawn last
  #colours = colours();
  #scale = 1; // pixels per metre
  #left = 0; // where x = 0 and y = 0 fall, in pixels
  #top = 0;

  constructor(canvas, planners) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d");
    this.#planners = planners;
  }

  show(scene) {
    this.#scene = scene;
    this.#floor = new Path2D(document.getElementById(`place-${scene.place}`).getAttribute("d"));
    const [x0, y0, x1, y1] = scene.box;
    this.#canvas.style.aspectRatio = `${Math.min(Math.max((x1 - x0) / (y1 - y0), 0.9), 2.6)}`;
    this.refresh();
  }

  /** Forget what was drawn: size or colours have changed. */
  refresh() {
    this.#colours = colours();
    this.#ground = null;
  }

  /** Draw a time: the people of one crowd, and the drives whose numbers are in `shown`. */
  draw(time, shown, crowdNumber) {
    const density = window.devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (!this.#scene || !width || !height) return;
    const size = [Math.round(width * density), Math.round(height * density)];
    if (this.#canvas.width !== size[0] || this.#canvas.height !== size[1]) {
      [this.#canvas.width, this.#canvas.height] = size;
      this.#ground = null;
    }
    this.#fit(width, height);
    this.#ground ??= this.#drawnGround(size, density, width, height);
    const context = this.#context;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.#ground, 0, 0);
    context.setTransform(density, 0, 0, density, 0, 0);
    const scene = this.#scene;
    const crowd = scene.crowds[crowdNumber];
    const people = peopleAt(crowd, time);
    const drives = scene.drives.filter((_, number) => shown.has(number));
    this.#drawTrails(people, crowd);
    drives.forEach((drive) => this.#drawPath(drive, time));
    drives.forEach((drive) => this.#drawContacts(drive, time));
    this.#drawPeople(people, crowd, drives.filter((drive) => drive.crowd === crowdNumber), time);
    drives.forEach((drive) => this.#drawRobot(drive, time));
    this.#namePlaces();
  }

  #fit(width, height) {
    const [x0, y0, x1, y1] = this.#scene.box;
    this.#scale = Math.min(width / (x1 - x0), height / (y1 - y0));
    this.#left = width / 2 - (this.#scale * (x0 + x1)) / 2;
    this.#top = height / 2 + (this.#scale * (y0 + y1)) / 2;
  }

  /** The place, in metres, that a point of the canvas shows. */
  placeAt(left, top) {
    return [(left - this.#left) / this.#scale, (this.#top - top) / this.#scale];
  }

  #x(metres) {
    return this.#left + this.#scale * metres;
  }

  #y(metres) {
    return this.#top - this.#scale * metres;
  }

  #drawnGround([width, height], density, cssWidth, cssHeight) {
    const ground = document.createElement("canvas");
    [ground.width, ground.height] = [width, height];
    const context = ground.getContext("2d");
    const colour = this.#colours;
    context.fillStyle = colour.solid;
    context.fillRect(0, 0, width, height);
    const perCentimetre = (this.#scale * density) / 100;
    context.setTransform(perCentimetre, 0, 0, -perCentimetre, this.#left * density, this.#top * density);
    context.fillStyle = colour.floor;
    context.fill(this.#floor, "evenodd");
    context.lineWidth = (1.4 * density) / perCentimetre;
    context.strokeStyle = colour.edge;
    context.stroke(this.#floor);
    context.setTransform(density, 0, 0, density, 0, 0);
    this.#drawPlaces(context);
    this.#drawScaleBar(context, cssWidth, cssHeight);
    return ground;
  }

  #drawPlaces(context) {
    const { start, goal, goal_radius: radius } = this.#scene;
    const colour = this.#colours;
    const reach = Math.max(radius * this.#scale, 4);
    ring(context, this.#x(start[0]), this.#y(start[1]), 4.5, colour.faint, 1.8);
    context.globalAlpha = 0.12;
    disc(context, this.#x(goal[0]), this.#y(goal[1]), reach, colour.ink);
    context.globalAlpha = 1;
    ring(context, this.#x(goal[0]), this.#y(goal[1]), reach, colour.ink, 2);
    disc(context, this.#x(goal[0]), this.#y(goal[1]), Math.max(2, reach * 0.22), colour.ink);
  }

  #namePlaces() {
    const { start, goal, goal_radius: radius } = this.#scene;
    this.#write("start", this.#x(start[0]), this.#y(start[1]) + 20);
    this.#write("goal", this.#x(goal[0]), this.#y(goal[1]) + Math.max(radius * this.#scale, 4) + 15);
  }

  #write(words, x, y) {
    const context = this.#context;
    context.font = `12px ${FONT}`;
    context.textAlign = "center";
    context.lineWidth = 3;
    context.lineJoin = "round";
    context.strokeStyle = this.#colours.floor;
    context.strokeText(words, x, y);
    context.fillStyle = this.#colours.faint;
    context.fillText(words, x, y);
  }

  #drawScaleBar(context, width, height) {
    const longest = (0.2 * width) / this.#scale;
    const power = 10 ** Math.floor(Math.log10(longest));
    const metres = [5, 2, 1].map((digit) => digit * power).find((each) => each <= longest) ?? power;
    const [left, y, right] = [14, height - 14, 14 + metres * this.#scale];
    context.beginPath();
    for (const [x, height] of [[left, -4], [left, 4], [left, 0], [right, 0], [right, -4], [right, 4]]) {
      context.lineTo(x, y + height);
    }
    context.lineJoin = "miter";
    context.lineWidth = 1.6;
    context.strokeStyle = this.#colours.ink;
    context.stroke();
    context.font = `12px ${FONT}`;
    context.textAlign = "left";
    context.fillStyle = this.#colours.ink;
    context.fillText(`${metres} m`, right + 8, y + 4);
  }

  #drawTrails(people, crowd) {
    const context = this.#context;
    const samples = Math.round(TRAIL / crowd.step);
    context.lineWidth = 2;
    context.lineCap = "butt";
    context.strokeStyle = this.#colours.rim;
    for (let band = 0; band < BANDS; band++) {
      const oldest = Math.round(samples * (1 - band / BANDS));
      const youngest = Math.round(samples * (1 - (band + 1) / BANDS));
      context.globalAlpha = (0.5 * (band + 0.5)) / BANDS;
      context.beginPath();
      for (const { stay, here, x, y } of people) {
        const from = Math.max(here - oldest, 0);
        const to = here - youngest;
        if (to < 0 || from > to) continue;
        context.moveTo(this.#x(stay.x[from]), this.#y(stay.y[from]));
        for (let k = from + 1; k <= to; k++) context.lineTo(this.#x(stay.x[k]), this.#y(stay.y[k]));
        if (youngest === 0) context.lineTo(this.#x(x), this.#y(y));
      }
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  #drawPath(drive, time) {
    const context = this.#context;
    const pose = poseAt(drive, time);
    context.beginPath();
    context.moveTo(this.#x(drive.x[0]), this.#y(drive.y[0]));
    for (let k = 1; k <= pose.sample; k++) context.lineTo(this.#x(drive.x[k]), this.#y(drive.y[k]));
    context.lineTo(this.#x(pose.x), this.#y(pose.y));
    context.lineWidth = 2.6;
    context.lineJoin = context.lineCap = "round";
    context.setLineDash(this.#dashes(drive));
    context.strokeStyle = this.#colour(drive);
    context.stroke();
    context.setLineDash([]);
  }

  #drawContacts(drive, time) {
    for (const [, begins, , x, y, cause] of drive.contacts) {
      if (begins > time) continue;
      for (const [width, colour] of [[5, this.#colours.floor], [2.4, this.#colours.contact]]) {
        mark(this.#context, this.#x(x), this.#y(y), cause, colour, width);
      }
    }
  }

  #drawPeople(people, crowd, drives, time) {
    const context = this.#context;
    const radius = Math.max(crowd.radius * this.#scale, 2);
    const [touched, touching] = [new Set(), new Set()];
    for (const [person, begins, ends] of drives.flatMap((drive) => drive.contacts)) {
      if (begins <= time) touched.add(person);
      if (begins <= time && time <= ends) touching.add(person);
    }
    for (const { person, x, y, vx, vy } of people) {
      const [left, top, speed] = [this.#x(x), this.#y(y), Math.hypot(vx, vy)];
      disc(context, left, top, radius, this.#colours.person);
      ring(context, left, top, radius - 0.6, this.#colours.rim, 1.2);
      if (speed > 0.02) {
        context.globalAlpha = Math.min(speed / QUICK, 1);
        const reach = (1.4 * radius) / speed;
        stroke(context, left, top, left + vx * reach, top - vy * reach, this.#colours.rim, 2);
        context.globalAlpha = 1;
      }
      if (touched.has(person)) ring(context, left, top, radius, this.#colours.contact, 2);
      if (touching.has(person)) ring(context, left, top, radius + 2, this.#colours.contact, 4);
    }
  }

  #drawRobot(drive, time) {
    const context = this.#context;
    const { x, y, heading } = poseAt(drive, time);
    const [left, top] = [this.#x(x), this.#y(y)];
    const radius = Math.max(drive.radius * this.#scale, 4);
    context.globalAlpha = time > drive.end ? 0.55 : 1;
    disc(context, left, top, radius + 1.4, this.#colours.floor);
    disc(context, left, top, radius, this.#colour(drive));
    const nose = radius * 0.72;
    const tip = [left + nose * Math.cos(heading), top - nose * Math.sin(heading)];
    stroke(context, left, top, ...tip, this.#colours.page, Math.max(2, radius * 0.24));
    context.globalAlpha = 1;
  }

  #colour(drive) {
    return this.#colours.planner(this.#planners[drive.planner].look);
  }

  #dashes(drive) {
    return /ref|dashed/.test(this.#planners[drive.planner].look) ? [7, 5] : [];
  }
}

function disc(context, x, y, radius, colour) {
  context.beginPath();
  context.arc(x, y, Math.max(radius, 0), 0, FULL_TURN);
  context.fillStyle = colour;
  context.fill();
}

function ring(context, x, y, radius, colour, width) {
  context.beginPath();
  context.arc(x, y, Math.max(radius, 0), 0, FULL_TURN);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

function stroke(context, x0, y0, x1, y1, colour, width) {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.lineCap = "round";
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

/** Where somebody was touched: a shape for whose doing it was, a small cross where none counts. */
function mark(context, x, y, cause, colour, width) {
  if (cause === "walked into") {
    ring(context, x, y, 5.5, colour, width);
  } else if (cause === "shared") {
    const corners = [[0, -7], [6.2, 4.4], [-6.2, 4.4]].map(([right, down]) => [x + right, y + down]);
    corners.forEach((corner, k) => stroke(context, ...corner, ...corners[(k + 1) % 3], colour, width));
  } else {
    const arm = cause ? 5.5 : 3.5;
    stroke(context, x - arm, y - arm, x + arm, y + arm, colour, width);
    stroke(context, x - arm, y + arm, x + arm, y - arm, colour, width);
  }
}
