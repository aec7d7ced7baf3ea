// What is drawn over the frame and from above. Nothing here changes anything.
"use strict";

const PALETTE = ["#4c9be8", "#f2a03d", "#57b894", "#e46a6a", "#b48be0", "#d9c24a", "#5fc4d6", "#e58bb8", "#9ab64f", "#c58f67"];
const colour = (person) => PALETTE[((person % PALETTE.length) + PALETTE.length) % PALETTE.length];

function fitted(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
  const height = Math.max(1, Math.round(canvas.clientHeight * ratio));
  if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  return pen;
}

function tag(pen, text, x, y, paint) {
  pen.font = "700 13px system-ui, sans-serif";
  const width = pen.measureText(text).width + 10;
  pen.fillStyle = paint;
  pen.beginPath(); pen.roundRect(x - width / 2, y - 10, width, 20, 6); pen.fill();
  pen.fillStyle = "#0c0f13";
  pen.textAlign = "center"; pen.textBaseline = "middle";
  pen.fillText(text, x, y + 0.5);
}

function drawMarks(canvas, boxes, scale, chosen) {
  const pen = fitted(canvas);
  for (const [person, left, top, right, bottom] of boxes) {
    pen.strokeStyle = colour(person);
    pen.lineWidth = chosen.includes(person) ? 4 : 2;
    pen.strokeRect(left * scale, top * scale, (right - left) * scale, (bottom - top) * scale);
  }
  for (const [person, left, top, right] of boxes) tag(pen, String(person), (left + right) / 2 * scale, Math.max(11, top * scale - 2), colour(person));
}

function between(list, time) { // the index of the last that is not after
  let low = 0, high = list.length;
  while (low < high) { const middle = (low + high) >> 1; if (list[middle] <= time) low = middle + 1; else high = middle; }
  return low - 1;
}

// The ground, with the robot in the middle and its heading up.
function groundView(canvas, pose, metres) {
  const width = canvas.clientWidth, height = canvas.clientHeight;
  const scale = Math.min(width, height) / (2 * metres);
  const [x0, y0, heading] = pose;
  const cos = Math.cos(heading), sin = Math.sin(heading);
  return {
    scale, turn: heading,
    place: (x, y) => {
      const ahead = (x - x0) * cos + (y - y0) * sin, aside = -(x - x0) * sin + (y - y0) * cos;
      return [width / 2 - aside * scale, height * 0.72 - ahead * scale];
    },
  };
}

function drawGround(canvas, drive, index, pose, chosen, metres) {
  const pen = fitted(canvas), view = groundView(canvas, pose, metres), time = drive.times[index];
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue("--ink"), line = style.getPropertyValue("--line"), faint = style.getPropertyValue("--faint");
  const [cx, cy] = view.place(pose[0], pose[1]);
  pen.lineWidth = 1; pen.font = "11px system-ui, sans-serif"; pen.textAlign = "left"; pen.textBaseline = "middle";
  for (let ring = 2; ring < 3 * metres; ring += 2) {
    pen.strokeStyle = line; pen.beginPath(); pen.arc(cx, cy, ring * view.scale, 0, 7); pen.stroke();
    if (ring % 4 === 0) { pen.fillStyle = faint; pen.fillText(`${ring} m`, cx + 3, cy - ring * view.scale + 8); }
  }
  const way = drive.robot.slice(0, index + 1).filter((each) => each);
  path(pen, way.slice(-400).map(([x, y]) => view.place(x, y)), ink, 2.5);
  for (const person of drive.people) drawPerson(pen, view, person, time, chosen.includes(person.person), faint);
  pen.fillStyle = ink;
  pen.beginPath(); pen.moveTo(cx, cy - 11); pen.lineTo(cx + 7, cy + 8); pen.lineTo(cx - 7, cy + 8); pen.closePath(); pen.fill();
}

function drawPerson(pen, view, person, time, isChosen, faint) {
  for (const track of person.tracks) {
    const last = between(track.times, time), paint = colour(person.person);
    if (isChosen) path(pen, track.places.map(([x, y]) => view.place(x, y)), faint, 1);
    if (last < 0) continue;
    const gone = time - track.times[last] > 0.6;
    path(pen, track.places.slice(Math.max(0, last - 40), last + 1).map(([x, y]) => view.place(x, y)), paint, isChosen ? 4 : 2, gone ? 0.25 : 0.9);
    if (gone) continue;
    const [x, y] = view.place(...track.places[last]), [long, wide, angle] = track.ellipses[last];
    pen.beginPath();
    pen.ellipse(x, y, Math.max(3, long * view.scale), Math.max(3, wide * view.scale), view.turn - angle - Math.PI / 2, 0, 7);
    pen.globalAlpha = 0.22; pen.fillStyle = paint; pen.fill();
    pen.globalAlpha = 1; pen.strokeStyle = paint; pen.lineWidth = isChosen ? 3 : 1.5; pen.stroke();
    tag(pen, String(person.person), x, y, paint);
  }
}

function path(pen, points, paint, width, alpha = 1) {
  if (points.length < 2) return;
  pen.globalAlpha = alpha; pen.strokeStyle = paint; pen.lineWidth = width; pen.lineJoin = "round";
  pen.beginPath(); pen.moveTo(...points[0]);
  for (const point of points.slice(1)) pen.lineTo(...point);
  pen.stroke(); pen.globalAlpha = 1;
}
