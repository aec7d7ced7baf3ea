"""Steps per second of the social force model beside pysocialforce and jupedsim, on one core.

Usage: python benchmarks/walk/forces.py    (peers: pip install pysocialforce jupedsim)

One scene for all: a square room with 0.2 people per square metre who walk straight on and turn
back at the walls; peers walk to random goals in it. A step moves everybody: forces, velocities,
positions. Rates are per second of CPU time, the best of many short blocks; all systems and sizes
take turns, so that a machine that is busy for a while is busy for all.
"""

import logging
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numba
import numpy as np

from paseo.crowd.steering.forces import steered
from paseo.crowd.steering.models import Walkers
from paseo.crowd.steering.social_force import Form, SocialForce
from paseo.world.space.floorplan import FloorPlan, floor_plan

DENSITY, SPEED, RADIUS, DT = 0.2, 1.3, 0.25, 0.05
SIZES, PEER_SIZES = (44, 100, 500, 2000), (44, 100, 500)
TURNS, BLOCK_S, CELL_S = 60, 0.008, 0.7  # turns at most; seconds a block, seconds a cell
WANTED_STEPS, WANTED_TIMES, MOST_GROWTH = 100_000, 50, 1.5


@dataclass(frozen=True)
class Scene:
    side: float
    plan: FloorPlan
    walkers: Walkers
    goals: np.ndarray  # (people, 2)


Stepper = Callable[[int], object]  # takes so many steps
Cell = tuple[str, int]  # system, people


def scene(people: int) -> Scene:
    rng = np.random.default_rng(people)
    side = math.sqrt(people / DENSITY)
    per_row = math.ceil(math.sqrt(people))
    line = (np.arange(per_row) + 0.5) * side / per_row
    spots = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    positions = rng.permutation(spots)[:people] + rng.uniform(-0.5, 0.5, (people, 2))
    bearings = rng.uniform(0, math.tau, people)
    wanted = SPEED * np.stack([np.cos(bearings), np.sin(bearings)], axis=1)
    corners = np.array([[0.0, 0.0], [side, 0.0], [side, side], [0.0, side], [0.0, 0.0]])
    plan = floor_plan("room", np.stack([corners[:-1], corners[1:]], axis=1))
    radii, top_speeds = np.full(people, RADIUS), np.full(people, 1.3 * SPEED)
    walkers = Walkers(positions, wanted.copy(), wanted, radii, top_speeds)
    return Scene(side, plan, walkers, rng.uniform(1.0, side - 1.0, (people, 2)))


@numba.njit
def walk(walkers, steps, dt, law, ground, side):
    """Advance by some steps through the kernel behind `SocialForce.velocities`."""
    for _ in range(steps):
        velocities = steered(walkers, dt, law, ground)
        for person in range(walkers.shape[0]):
            for axis in range(2):
                walkers[person, 2 + axis] = velocities[person, axis]
                walkers[person, axis] += velocities[person, axis] * dt
                wish = abs(walkers[person, 4 + axis])
                if walkers[person, axis] < 1.0:
                    walkers[person, 4 + axis] = wish
                elif walkers[person, axis] > side - 1.0:
                    walkers[person, 4 + axis] = -wish
    return walkers


def kernel(form: Form, room: Scene) -> Stepper:
    """Many steps in one compiled call."""
    model, w = SocialForce(form=form), room.walkers
    model.begin(room.plan)
    columns = (w.positions, w.velocities, w.wanted, w.radii[:, None], w.top_speeds[:, None])
    table = np.concatenate(columns, axis=1)
    after = walk(table.copy(), 1, DT, model.law, model.ground, room.side)
    if not np.array_equal(after[:, 2:4], model.velocities(w, DT)):
        sys.exit("the benchmark's kernel and SocialForce.velocities do not agree")
    # All sizes start each block from the same moment, 5 s after the start.
    settled = walk(table, 100, DT, model.law, model.ground, room.side)
    return lambda steps: walk(settled.copy(), steps, DT, model.law, model.ground, room.side)


def by_calls(form: Form, room: Scene) -> Stepper:
    """A call of `velocities` and a step of the positions in numpy each time."""
    model = SocialForce(form=form)
    model.begin(room.plan)

    def work(steps: int) -> None:
        w = room.walkers
        for _ in range(steps):
            velocities = model.velocities(w, DT)
            positions = w.positions + velocities * DT
            w = Walkers(positions, velocities, w.wanted, w.radii, w.top_speeds)

    return work


def pysocialforce(room: Scene, *, walls: bool) -> Stepper:
    logging.disable(logging.CRITICAL)  # it turns on the debug log of all it uses
    from pysocialforce import Simulator

    side, w = room.side, room.walkers
    lines = [(0, side, 0, 0), (0, side, side, side), (0, 0, 0, side), (side, side, 0, side)]
    state = np.concatenate([w.positions, w.velocities, room.goals], axis=1)
    return Simulator(state, obstacles=lines if walls else None).step


def jupedsim(room: Scene) -> Stepper:
    from jupedsim import (
        JourneyDescription,
        Simulation,
        SocialForceModel,
        SocialForceModelAgentParameters,
    )

    side, w = room.side, room.walkers
    square = [(0, 0), (side, 0), (side, side), (0, side)]
    peer = Simulation(model=SocialForceModel(), geometry=square, dt=0.01)
    stages = [peer.add_waypoint_stage(tuple(goal), 0.5) for goal in room.goals[:20]]
    journeys = [peer.add_journey(JourneyDescription([stage])) for stage in stages]
    for k in range(len(w)):
        peer.add_agent(
            SocialForceModelAgentParameters(
                position=tuple(w.positions[k]),
                velocity=tuple(w.velocities[k]),
                journey_id=journeys[k % len(journeys)],
                stage_id=stages[k % len(stages)],
                desired_speed=SPEED,
                radius=RADIUS,
            )
        )
    return peer.iterate


def competitors(rooms: dict[int, Scene]) -> dict[Cell, Stepper]:
    """Ours, and the peers that are installed."""
    steppers: dict[Cell, Stepper] = {}
    for form in (Form.CIRCULAR, Form.ELLIPTICAL, Form.ANGULAR):
        for people in SIZES:
            steppers[f"paseo, {form}", people] = kernel(form, rooms[people])
            steppers[f"paseo, {form}, velocities()", people] = by_calls(form, rooms[people])
    peers: dict[str, Callable[[Scene], Stepper]] = {
        "pysocialforce, no walls": lambda room: pysocialforce(room, walls=False),
        "pysocialforce, 4 walls": lambda room: pysocialforce(room, walls=True),
        "jupedsim, circular, dt 0.01": jupedsim,
    }
    for name, peer in peers.items():
        try:
            steppers |= {(name, people): peer(rooms[people]) for people in PEER_SIZES}
        except ImportError as error:
            print(f"not compared: {name} ({error})")
    return steppers


def best_rates(steppers: dict[Cell, Stepper]) -> dict[Cell, float]:
    """Steps per CPU second of everybody, who take turns."""
    steps, best, spent = {}, dict.fromkeys(steppers, math.inf), dict.fromkeys(steppers, 0.0)
    for cell, work in steppers.items():
        work(1)  # compiles
        start = time.thread_time()
        work(1)
        steps[cell] = max(1, min(200, round(BLOCK_S / (time.thread_time() - start))))
    for _ in range(TURNS):
        for cell, work in steppers.items():
            if spent[cell] < CELL_S:
                start = time.thread_time()
                work(steps[cell])
                took = time.thread_time() - start
                best[cell], spent[cell] = min(best[cell], took / steps[cell]), spent[cell] + took
    return {cell: 1.0 / seconds for cell, seconds in best.items()}


def line(name: str, cells: list[str]) -> str:
    return f"{name:36}" + "".join(f"{cell:>11}" for cell in cells)


def table(rates: dict[Cell, float]) -> list[str]:
    """A row of rates for each system, and what follows from it below."""
    lines = [line("steps/s", [f"N = {people}" for people in SIZES])]
    for name in dict.fromkeys(name for name, _ in rates):
        row = {people: rate for (of, people), rate in rates.items() if of == name}
        lines.append(line(name, [f"{rate:,.0f}" for rate in row.values()]))
        if name.startswith("paseo") and "(" not in name:
            each = [1e9 / (rate * people) for people, rate in row.items()]
            lines.append(line("  ns per person and step", [f"{ns:,.0f}" for ns in each]))
        if not name.startswith("paseo"):
            times = [rates["paseo, circular", people] / rate for people, rate in row.items()]
            lines.append(line("  paseo, circular: times as fast", [f"{x:,.1f}" for x in times]))
    return lines


def marks(rates: dict[Cell, float]) -> list[tuple[str, float, float, bool]]:
    """What was wanted: words, reached, wanted, and whether it was met."""
    alone = rates["paseo, circular", 44]
    found = [("circular, steps/s at 44 people", alone, WANTED_STEPS, alone >= WANTED_STEPS)]
    if ("pysocialforce, no walls", 100) in rates:
        times = rates["paseo, circular", 100] / rates["pysocialforce, no walls", 100]
        words = "circular at 100 people, times pysocialforce without walls"
        found.append((words, times, WANTED_TIMES, times >= WANTED_TIMES))
    for form in Form:
        growth = rates[f"paseo, {form}", 100] / rates[f"paseo, {form}", 2000] / 20
        words = f"{form}, cost per person at 2000 : 100 people, at most"
        found.append((words, growth, MOST_GROWTH, growth <= MOST_GROWTH))
    return found


def main() -> int:
    rates = best_rates(competitors({people: scene(people) for people in SIZES}))
    print("\n".join(table(rates)), end="\n\n")
    found = marks(rates)
    for words, reached, wanted, met in found:
        ratio = reached / wanted
        said = "met" if met else "MISSED"
        print(f"{words}: {reached:,.2f} (wanted {wanted:,}, ratio {ratio:.2f}): {said}")
    return 0 if all(met for *_, met in found) else 1


if __name__ == "__main__":
    sys.exit(main())
