/** One episode, unpacked: where everybody is at any time. */

import { Numbers } from "./codec.js";

export function unpackedScene(scene) {
  return { ...scene, crowds: scene.crowds.map(unpackedCrowd), drives: scene.drives.map(unpackedDrive) };
}

function unpackedDrive(drive) {
  const numbers = new Numbers(drive.track);
  const count = numbers.next();
  const [x, y, heading] = [numbers.curve(count), numbers.curve(count), numbers.curve(count)];
  return { ...drive, count, x, y, heading };
}

function unpackedCrowd(crowd) {
  const numbers = new Numbers(crowd.tracks);
  const stays = [];
  for (let left = numbers.next(); left > 0; left--) {
    const [person, first, count] = [numbers.next(), numbers.next(), numbers.next()];
    stays.push({ person, first, count, x: numbers.curve(count), y: numbers.curve(count) });
  }
  const count = Math.ceil(crowd.end / crowd.step - 1e-6) + 1;
  return { ...crowd, count, stays };
}

/** The sample before a time, and the share of the way to the next one; the last is at the end. */
export function sampleAt(track, time) {
  const last = track.count - 1;
  if (last <= 0 || time <= 0) return [0, 0];
  if (time >= track.end) return [last, 0];
  const sample = Math.min(Math.floor(time / track.step + 1e-9), last - 1);
  const from = sample * track.step;
  const to = sample === last - 1 ? track.end : from + track.step;
  return [sample, Math.min((time - from) / (to - from), 1)];
}

function between(values, sample, share) {
  const now = values[sample];
  return share > 0 ? now + (values[sample + 1] - now) * share : now;
}

export function poseAt(drive, time) {
  const [sample, share] = sampleAt(drive, time);
  const [x, y, heading] = [drive.x, drive.y, drive.heading].map((values) => between(values, sample, share));
  return { x, y, heading, sample };
}

/** How fast a robot drives, in m/s; nothing once it has ended. */
export function speedAt(drive, time) {
  if (time >= drive.end) return 0;
  const span = Math.min(drive.step, drive.end);
  const from = poseAt(drive, Math.max(time - span / 2, 0));
  const to = poseAt(drive, Math.max(time - span / 2, 0) + span);
  return Math.hypot(to.x - from.x, to.y - from.y) / span;
}

/** Everybody who is there: place, walking velocity, and the samples of their stay. */
export function peopleAt(crowd, time) {
  const [sample, share] = sampleAt(crowd, time);
  const people = [];
  for (const stay of crowd.stays) {
    const here = sample - stay.first;
    if (here < 0 || here >= stay.count) continue;
    const after = Math.min(here + 1, stay.count - 1);
    const before = Math.max(here - 1, 0);
    const span = Math.max(after - before, 1) * crowd.step;
    people.push({
      person: stay.person,
      x: stay.x[here] + (stay.x[after] - stay.x[here]) * share,
      y: stay.y[here] + (stay.y[after] - stay.y[here]) * share,
      vx: (stay.x[after] - stay.x[before]) / span,
      vy: (stay.y[after] - stay.y[before]) / span,
      stay,
      here,
    });
  }
  return people;
}

/** From the robot's edge to that of the nearest of these people, in metres. */
export function nearestPerson(drive, pose, people, radius) {
  const gaps = people.map((each) => Math.hypot(each.x - pose.x, each.y - pose.y));
  return Math.min(...gaps) - drive.radius - radius;
}
