"""The two best planners in both controls, on the paper's episodes and on crowds nobody tuned on.

A robot that is told positions turns at once; one that is told velocities turns at 1.1 rad/s and
cannot step aside. So both controls stand side by side: successes, contacts, contacts with people
who appeared less than a second before, the restricted mean time to the goal, jerk. The held-out
crowds are sampled from the five recordings with a seed that no planner was tuned with.

For each episode in which `mppi` touches somebody by velocity soon after the start it is also
looked whether any drive could have helped: the best of many drives that know the future.

Usage: python benchmarks/reproduce/controls.py [--data DIR] [--out DIR] [--seeds N] [--held-out N]
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paseo.report.table import text_table
from paseo.world.arrays import FloatArray
from paseo.world.motion import Control
from paseo.world.recordfile import load_record
from paseo.world.records import Contact, Outcome, Record, Verdict
from paseo.world.scenarios import Scenario

PASEO = Path(sys.executable).with_name("paseo")
RECORDINGS = ("eth", "hotel", "univ", "zara01", "zara02")
SEED = 201  # of the held-out crowds
SUDDEN = 1.0  # seconds since somebody appeared
DRIVES, KNOTS, KNOT = 20_000, 6, 0.5  # tried with the future known: each of six half seconds
ROWS = {"mppi": "mppi", "sacadrl": "sacadrl (no-rules)"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One planner in one control, over episodes and seeds."""

    episodes: int
    successes: int
    contacts: int
    sudden: int  # contacts with people who appeared less than a second before
    hopeless: int  # episodes whose first seconds no drive survives untouched
    time: float  # s, restricted mean to the goal
    jerk: float  # m/s^3, mean over steps


def main(options: argparse.Namespace) -> int:
    """Run everything and print a table for each suite."""
    with tempfile.TemporaryDirectory() as folder:
        out = options.out or Path(folder)
        out.mkdir(parents=True, exist_ok=True)
        for name, suites in (
            ("socnavbench-33", ["socnavbench-33"]),
            (f"held out, seed {SEED}", _held_out(out, options)),
        ):
            print(f"\n{name}\n\n{_table(out, suites, options)}")
    return 0


def _held_out(out: Path, options: argparse.Namespace) -> list[str]:
    """Suite files sampled from every recording."""
    files = []
    for recording in RECORDINGS:
        file = out / f"held_out_{recording}.toml"
        if not file.exists():
            words = ["--count", options.held_out, "--seed", SEED, "--out", file]
            _paseo("data", "sample", recording, *words, "--data", options.data)
        files.append(str(file))
    return files


def _table(out: Path, suites: Sequence[str], options: argparse.Namespace) -> str:
    rows = []
    for control in (Control.VELOCITY, Control.POSITION):
        for planner, shown in ROWS.items():
            seeds = options.seeds if planner == "mppi" else 1  # SA-CADRL draws nothing
            records = [
                record
                for suite in suites
                for seed in range(seeds)
                for record in _records(out, suite, planner, control, seed, options)
            ]
            rows.append(_row(shown, control, seeds, _line(records, control)))
    header = ("planner", "control", "successes", "of", "contacts", "sudden ones",
              "nobody could help", "time s", "jerk m/s^3")  # fmt: skip
    return text_table(header, rows)


def _row(shown: str, control: Control, seeds: int, line: Line) -> tuple[str, ...]:
    """Counts are means over seeds."""
    return (
        shown, control.value, f"{line.successes / seeds:.1f}", f"{line.episodes / seeds:.0f}",
        f"{line.contacts / seeds:.1f}", f"{line.sudden / seeds:.1f}",
        f"{line.hopeless / seeds:.1f}" if control is Control.VELOCITY else "",
        f"{line.time:.2f}", f"{line.jerk:.1f}",
    )  # fmt: skip


def _records(
    out: Path, suite: str, planner: str, control: Control, seed: int, options: argparse.Namespace
) -> Iterator[Record]:
    folder = out / f"{Path(suite).stem}-{planner}-{control.value}-{seed}"
    if not folder.exists():
        words = ["--planner", planner, "--control", control.value, "--seed", seed]
        _paseo("run", suite, *words, "--out", folder, "--data", options.data)
    for file in sorted((folder / "records").glob("*.npz")):
        yield load_record(file)


def _paseo(*words: object) -> None:
    subprocess.run([str(PASEO), *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def _line(records: Sequence[Record], control: Control) -> Line:
    counted = [(each, c) for each in records for c in each.contacts if c.counted]
    hurt = [each for each in records if each.touches and control is Control.VELOCITY]
    jolts = [_jerk(each) for each in records]
    return Line(
        episodes=len(records),
        successes=sum(each.verdict is Verdict.SUCCESS for each in records),
        contacts=len(counted),
        sudden=sum(is_sudden(each, contact) for each, contact in counted),
        hopeless=sum(best_clearance(each.scenario) < 0 for each in hurt),
        time=float(np.mean([_time_to_goal(each) for each in records])),
        jerk=float(np.concatenate(jolts).mean()),
    )


def is_sudden(record: Record, contact: Contact) -> bool:
    """Whether the person had appeared less than a second before."""
    column = int(np.nonzero(record.ids == contact.person)[0][0])
    there = np.nonzero(~np.isnan(record.people[: contact.first_step + 1, column, 0]))[0]
    seconds = float(contact.first_step - there[0]) * record.scenario.dt
    return seconds < SUDDEN


def best_clearance(scenario: Scenario) -> float:
    """The most room to people that any drive keeps in the first 3 s, who knows the future; metres.

    Walls are left out, so that a drive that there is not may help, but none is missed for them.
    """
    rng, robot, dt = np.random.default_rng(0), scenario.robot, scenario.dt
    held = max(1, round(KNOT / dt))
    speeds = rng.choice([0.0, 0.0, 1 / 3, 2 / 3, 1.0, 1.0], (DRIVES, KNOTS)) * robot.max_speed
    turns = rng.choice([-1.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.0], (DRIVES, KNOTS)) * robot.max_turn
    speeds, turns = np.repeat(speeds, held, axis=1), np.repeat(turns, held, axis=1)
    directions = scenario.start.heading + np.cumsum(turns, axis=1) * dt - 0.5 * turns * dt
    x = scenario.start.x + np.cumsum(speeds * np.cos(directions), axis=1) * dt
    y = scenario.start.y + np.cumsum(speeds * np.sin(directions), axis=1) * dt
    times = dt * np.arange(1, x.shape[1] + 1)
    least = np.full(DRIVES, np.inf)
    for track in scenario.tracks:
        places = track.positions_at(times)
        gaps = np.hypot(x - places[:, 0], y - places[:, 1])  # (drives, steps)
        least = np.fmin(least, np.fmin.reduce(gaps, axis=1))
    return float(least.max()) - robot.radius - scenario.person_radius


def _time_to_goal(record: Record) -> float:
    arrived = record.outcome is Outcome.REACHED_GOAL
    return float(record.times[-1]) if arrived else record.scenario.time_limit


def _jerk(record: Record) -> FloatArray:
    """As the metric of that name, (steps,)."""
    jolts = np.diff(record.robot[:, :2], n=3, axis=0) / record.scenario.dt**3
    lengths: FloatArray = np.hypot(jolts[:, 0], jolts[:, 1])
    return lengths


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("PASEO_DATA"))
    parser.add_argument("--out", type=Path, help="keep the runs here; finished ones are not rerun")
    parser.add_argument("--seeds", type=int, default=3, help="of mppi (default: 3)")
    parser.add_argument(
        "--held-out", type=int, default=8, help="episodes from each recording (default: 8)"
    )
    options = parser.parse_args()
    if options.data is None:
        parser.error("name the folder of recordings with --data, or set PASEO_DATA")
    return options


if __name__ == "__main__":
    try:
        sys.exit(main(_options()))
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)  # it has said itself what was wrong
