"""ORCA beside pyrvo (RVO2 in C++) in one run on one core: velocities, then speed.

Needs `pip install pyrvo==0.4.3`. Both walk the same crowd: in each step ours is asked from pyrvo's
own state, with the same parameters. In the open every velocity must be pyrvo's. Among walls they
are counted: two walls that share a corner are equally near to who sees both, pyrvo takes them as
they come out of its tree, ours by a rule of its own, and where not all can be kept the first one
counts. Velocities in double precision are shown beside: where half planes nearly miss each other,
the last bits decide.

Usage: python benchmarks/walk/orca.py [FILE]   (with a file, only records pyrvo's answers for tests)
"""

import json
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyrvo

from paseo.crowd.steering.models import Walkers
from paseo.crowd.steering.orca import Orca, Precision
from paseo.world.space.floorplan import floor_plan

DENSITY, RADIUS, DT = 0.2, float(np.float32(0.3)), float(np.float32(0.05))
SAME = 1e-4  # m/s
RATIO, RATE, GROWTH = 2.5, 1_200_000, 1.5  # at least, at least, at most
STEPS = {44: 600, 100: 300, 500: 100}
LAPS = {44: 3000, 100: 1200, 500: 250, 2000: 50}  # long enough for noise to hit both
NAMES = ("positions", "velocities", "wanted", "top_speeds")
LAP = 10  # steps
Box = tuple[float, float, float, float]


@dataclass
class Tally:
    """What one crowd has shown: seconds per step, and how far velocities are apart."""

    pyrvo_s: list[float] = field(default_factory=list)
    paseo_s: list[float] = field(default_factory=list)
    # m/s, each (people,): in single and in double precision
    apart: tuple[list[np.ndarray], list[np.ndarray]] = field(default_factory=lambda: ([], []))


def in_single_precision(value: np.ndarray) -> np.ndarray:
    return value.astype(np.float32).astype(np.float64)


class Pair:
    """The same crowd in pyrvo and in Paseo; the first box is the room, the others are pillars."""

    def __init__(self, people: int, boxes: list[Box]):
        self.rng = np.random.default_rng(people)
        self.people, self.side = people, (people / DENSITY) ** 0.5
        self.tops = in_single_precision(self.rng.uniform(1.3, 2.0, people))
        self.goals = self.rng.uniform(0, self.side, (people, 2))
        self.boxes, self.tally = boxes, Tally()
        self.orca, self.double = (Orca(precision=precision) for precision in Precision)
        self.simulator = pyrvo.RVOSimulator(DT, 10.0, 10, 5.0, 5.0, RADIUS, 2.0)
        if boxes:
            loops = [corners(boxes[0])[::-1]] + [corners(box) for box in boxes[1:]]
            for loop in loops:
                self.simulator.add_obstacle([tuple(corner) for corner in loop.tolist()])
            self.simulator.process_obstacles()
            walls = [np.stack([loop, np.roll(loop, -1, axis=0)], axis=1) for loop in loops]
            plan = floor_plan("boxes", np.concatenate(walls))
            self.orca.begin(plan)
            self.double.begin(plan)
        for k, place in enumerate(self.places(boxes[1:])):
            self.simulator.add_agent(tuple(place))
            self.simulator.set_agent_max_speed(k, float(self.tops[k]))

    def places(self, pillars: list[Box]) -> list[list[float]]:
        found: list[list[float]] = []
        while len(found) < self.people:
            x, y = self.rng.uniform(0, self.side, 2).tolist()
            free = all(np.hypot(x - a, y - b) > 0.65 for a, b in found)
            if free and not any(
                x0 - 0.4 < x < x1 + 0.4 and y0 - 0.4 < y < y1 + 0.4 for x0, y0, x1, y1 in pillars
            ):
                found.append([x, y])
        return found

    def state(self) -> Walkers:
        ask, count = self.simulator, range(self.people)
        places = np.array([ask.get_agent_position(k).to_tuple() for k in count])
        speeds = np.array([ask.get_agent_velocity(k).to_tuple() for k in count])
        ways = self.goals - places
        far = np.hypot(ways[:, 0], ways[:, 1])[:, None]
        wanted = in_single_precision(ways / np.maximum(far, 1e-9) * np.minimum(1.3, 2.0 * far))
        there = far[:, 0] < 0.5
        self.goals[there] = self.rng.uniform(0, self.side, (there.sum(), 2))
        return Walkers(places, speeds, wanted, np.full(self.people, RADIUS), self.tops)

    def told(self) -> Walkers:
        """The state, in which pyrvo now knows what everybody wants."""
        walkers = self.state()
        for k, wanted in enumerate(walkers.wanted.tolist()):
            self.simulator.set_agent_pref_velocity(k, tuple(wanted))
        return walkers

    def compare(self) -> None:
        """One step of both from one state."""
        walkers = self.told()
        self.simulator.do_step()
        count = range(self.people)
        theirs = np.array([self.simulator.get_agent_velocity(k).to_tuple() for k in count])
        for model, apart in zip((self.orca, self.double), self.tally.apart, strict=True):
            apart.append(np.abs(model.velocities(walkers, DT) - theirs).max(axis=1))

    def race(self) -> None:
        """A few steps of both from one state, in which everybody wants the same all the time."""
        walkers = self.told()
        start = time.process_time()
        for _ in range(LAP):
            self.simulator.do_step()
        between = time.process_time()
        for _ in range(LAP):
            walkers.velocities[:] = self.orca.velocities(walkers, DT)
            walkers.positions[:] += walkers.velocities * DT
        end = time.process_time()
        self.tally.pyrvo_s.append((between - start) / LAP)
        self.tally.paseo_s.append((end - between) / LAP)


def corners(box: Box) -> np.ndarray:
    x0, y0, x1, y1 = box
    return in_single_precision(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]))


def room(people: int) -> Box:
    side = (people / DENSITY) ** 0.5
    return (-1.0, -1.0, side + 1.0, side + 1.0)


def pillars(people: int) -> list[Box]:
    edge = (people / DENSITY) ** 0.5 - 2.0
    return [
        (x, y, x + 1.0, y + 0.7)
        for x in np.arange(3.0, edge, 5.3).tolist()
        for y in np.arange(2.5, edge, 6.1).tolist()
    ]


def compared(people: int, boxes: list[Box]) -> Tally:
    pair = Pair(people, boxes)
    for _ in range(STEPS[people]):
        pair.compare()
    return pair.tally


def raced(people: int, boxes: list[Box]) -> Tally:
    pair = Pair(people, boxes)
    pair.race()  # compiles, and everybody stands
    pair.tally = Tally()
    for _ in range(LAPS[people]):
        pair.race()
    return pair.tally


def agreement(name: str, people: int, tally: Tally) -> int:
    """Print how far velocities are apart; how many too far."""
    single, double = (np.array(apart) for apart in tally.apart)
    too_far = int((single > SAME).sum())
    print(
        f"{name:8} {people:5}  {too_far:3} of {single.size:6} apart by more than {SAME:g}, at most "
        f"{single.max():.2g}   (double precision: {(double > SAME).sum()}, {double.max():.2g})"
    )
    return too_far


def speeds(name: str, people: int, tally: Tally) -> tuple[float, float]:
    """Print what was measured; how many times pyrvo's, and agent updates per second.

    Both in processor time, and of the best laps, as in the other benchmarks: who else is at work on
    the machine slows Paseo more than pyrvo, and the medians, printed beside them, tell how much.
    """
    theirs, ours = np.array(tally.pyrvo_s), np.array(tally.paseo_s)
    rates = [people / pick(each) for pick in (np.min, np.median) for each in (theirs, ours)]
    print(
        f"{name:8} {people:5}  best: pyrvo {rates[0]:9,.0f}  paseo {rates[1]:9,.0f}  "
        f"{rates[1] / rates[0]:.2f} times   median: pyrvo {rates[2]:9,.0f}  "
        f"paseo {rates[3]:9,.0f}  {rates[3] / rates[2]:.2f} times"
    )
    return rates[1] / rates[0], rates[1]


def nobody_us() -> float:
    """Microseconds that `Orca.velocities` takes when there is nothing to do."""
    model, nobody = Orca(), Walkers(*(np.empty((0, 2)),) * 3, *(np.empty(0),) * 2)
    seconds = []
    for _ in range(200):
        start = time.process_time()
        for _ in range(100):
            model.velocities(nobody, DT)
        seconds.append(time.process_time() - start)
    return min(seconds) * 1e4


def recorded(pair: Pair, steps: tuple[int, ...]) -> list[dict[str, Any]]:
    """What pyrvo answers in some of the first steps, with all that it was asked."""
    scenes = []
    for step in range(max(steps) + 1):
        walkers = pair.told()
        pair.simulator.do_step()
        if step in steps:
            scenes.append({
                "people": pair.people, "boxes": pair.boxes, "step": step,
                **{name: shortest(getattr(walkers, name)) for name in NAMES},
                "answers": shortest(pair.state().velocities),
            })  # fmt: skip
    return scenes


def shortest(table: np.ndarray) -> list[Any]:
    """The numbers with as few digits as single precision needs."""
    text = np.vectorize(lambda number: float(str(np.float32(number))), otypes=[float])
    listed: list[Any] = text(table).tolist()
    return listed


def record(file: Path) -> None:
    scenes = recorded(Pair(44, []), (0, 50, 100))
    scenes += recorded(Pair(100, []), (100,)) + recorded(Pair(500, []), (100,))
    scenes += recorded(Pair(44, [room(44)]), (50, 100))
    scenes += recorded(Pair(44, [room(44), (6.0, 6.0, 7.5, 7.0)]), (50, 100))
    scenes += recorded(Pair(100, [room(100), (9.0, 8.0, 10.5, 9.0)]), (100,))
    head = (
        "pyrvo 0.4.3, recorded by benchmarks/walk/orca.py; radius 0.3 m, dt 0.05 s; 32-bit numbers"
    )
    lines = ",\n".join(json.dumps(scene) for scene in scenes)
    file.write_text(f'{{"source": "{head}", "scenes": [\n{lines}\n]}}\n', encoding="utf-8")


def main() -> int:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    marks = []
    print(f"velocities, m/s, {DENSITY} people per square metre")
    for people in (44, 100, 500):
        boxes = [room(people), *pillars(people)]
        marks.append(agreement("open", people, compared(people, [])) == 0)
        agreement("room", people, compared(people, boxes[:1]))
        agreement("pillars", people, compared(people, boxes))
    print("among pillars: of two walls that share a corner, pyrvo takes the other one first")
    print("agent updates per second of the processor:")
    print("pyrvo's do_step alone; Orca.velocities and a move of everybody")
    tallies = {people: raced(people, []) for people in LAPS}
    for people, tally in tallies.items():
        ratio, rate = speeds("open", people, tally)
        marks.append(ratio >= RATIO or people > 500)
        marks.append(rate >= RATE or people != 44)
    for people in (44, 100, 500):
        speeds("room", people, raced(people, [room(people)]))
        speeds("pillars", people, raced(people, [room(people), *pillars(people)]))
    growth = 500 / 2000 * min(tallies[2000].paseo_s) / min(tallies[500].paseo_s)
    marks.append(bool(growth <= GROWTH))
    print(f"an agent among 2000 takes {growth:.2f} times as long as among 500")
    print(f"Orca.velocities without anybody: {nobody_us():.1f} us per step")
    print(f"wanted: in the open every velocity within {SAME:g} of pyrvo's, {RATIO} times pyrvo, "
          f"{RATE:,} updates/s at 44, {GROWTH} times at 2000: "
          f"{'met' if all(marks) else 'missed'}")  # fmt: skip
    return 0 if all(marks) else 1


if __name__ == "__main__":
    if len(sys.argv) > 1:
        record(Path(sys.argv[1]))
    else:
        sys.exit(main())
