"""The two best planners in both controls, on the paper's episodes and on crowds nobody tuned on.

A robot that is told positions turns at once; one that is told velocities turns at 1.1 rad/s and
cannot step aside. So both controls stand side by side: successes, contacts, contacts with people
who appeared less than a second before, the restricted mean time to the goal, jerk. The held-out
crowds are sampled from the five recordings with a seed that no planner was tuned with.

Of each contact by velocity it is also looked whether any drive could have helped: the best of many
that set out when the person appeared, or 3 s before the contact, and know the future.

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
from msgspec import structs

from paseo.data.suites.suite_file import read_suite
from paseo.data.suites.suite_writing import suite_bytes
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
    hopeless: int  # contacts that no drive could have avoided
    time: float  # s, restricted mean to the goal
    jerk: float  # m/s^3, mean over steps


def main(options: argparse.Namespace) -> int:
    """Run everything and print a table for each suite."""
    with tempfile.TemporaryDirectory() as folder:
        out = options.out or Path(folder)
        out.mkdir(parents=True, exist_ok=True)
        for suite in ("socnavbench-33", str(_held_out(out, options))):
            print(f"\n{Path(suite).stem}\n\n{_table(out, suite, options)}", flush=True)
    return 0


def _held_out(out: Path, options: argparse.Namespace) -> Path:
    """A suite file of episodes that are sampled from every recording."""
    whole = out / f"held-out-{SEED}.toml"
    if whole.exists():
        return whole
    parts = []
    for recording in RECORDINGS:
        file = out / f"{recording}.toml"
        words = ["--count", options.held_out, "--seed", SEED, "--out", file]
        _paseo("data", "sample", recording, *words, "--data", options.data)
        parts.append(read_suite(file))
        file.unlink()
    episodes = [entry for part in parts for entry in part.episodes]
    suite = structs.replace(parts[0], name=whole.stem, description="", episodes=episodes)
    whole.write_bytes(suite_bytes(suite, whole.suffix))
    return whole


def _table(out: Path, suite: str, options: argparse.Namespace) -> str:
    rows = []
    for control in (Control.VELOCITY, Control.POSITION):
        for planner, shown in ROWS.items():
            # SA-CADRL draws nothing, and one seed shows what mppi gains by a control not its own.
            seeds = options.seeds if (planner, control) == ("mppi", Control.VELOCITY) else 1
            records = [
                record
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
    words = ["--planner", planner, "--control", control.value, "--seed", seed]
    again = ["--resume"] if folder.exists() else []
    _paseo("run", suite, *words, "--out", folder, "--data", options.data, *again)
    for file in sorted((folder / "records").glob("*.npz")):
        yield load_record(file)


def _paseo(*words: object) -> None:
    subprocess.run([str(PASEO), *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def _line(records: Sequence[Record], control: Control) -> Line:
    counted = [(each, c) for each in records for c in each.contacts if c.counted]
    asked = counted if control is Control.VELOCITY else []
    jolts = [_jerk(each) for each in records]
    return Line(
        episodes=len(records),
        successes=sum(each.verdict is Verdict.SUCCESS for each in records),
        contacts=len(counted),
        sudden=sum(is_sudden(each, contact) for each, contact in counted),
        hopeless=sum(best_clearance(*each) < 0 for each in asked),
        time=float(np.mean([_time_to_goal(each) for each in records])),
        jerk=float(np.concatenate(jolts).mean()),
    )


def is_sudden(record: Record, contact: Contact) -> bool:
    """Whether the person had appeared less than a second before."""
    return (contact.first_step - appeared(record, contact)) * record.scenario.dt < SUDDEN


def appeared(record: Record, contact: Contact) -> int:
    """The step in which the person was there first."""
    column = int(np.nonzero(record.ids == contact.person)[0][0])
    return int(np.argmin(np.isnan(record.people[:, column, 0])))


def best_clearance(record: Record, contact: Contact) -> float:
    """The most room to everybody, in metres, that a drive keeps for 3 s and that knows the future.

    It sets out where the robot was when the person appeared, or 3 s before the contact if that
    was later. There are no walls for it, so that it may find too much, but not too little.
    """
    scenario, dt = record.scenario, record.scenario.dt
    held = max(1, round(KNOT / dt))
    first = max(appeared(record, contact), contact.first_step - held * KNOTS + 1)
    x, y = _drives(record.robot[first], scenario, held)  # (drives, steps) each
    times = dt * (first + np.arange(1, x.shape[1] + 1))
    least = np.full(DRIVES, np.inf)
    for track in scenario.tracks:
        places = track.positions_at(times)
        gaps = np.hypot(x - places[:, 0], y - places[:, 1])
        least = np.fmin(least, np.fmin.reduce(gaps, axis=1))
    return float(least.max()) - scenario.robot.radius - scenario.person_radius


def _drives(pose: FloatArray, scenario: Scenario, held: int) -> tuple[FloatArray, FloatArray]:
    """Where many drives lead that hold each of some twists for `held` steps."""
    rng, robot, dt = np.random.default_rng(0), scenario.robot, scenario.dt
    speeds = rng.choice([0.0, 0.0, 1 / 3, 2 / 3, 1.0, 1.0], (DRIVES, KNOTS)) * robot.max_speed
    turns = rng.choice([-1.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.0], (DRIVES, KNOTS)) * robot.max_turn
    speeds, turns = np.repeat(speeds, held, axis=1), np.repeat(turns, held, axis=1)
    directions = pose[2] + np.cumsum(turns, axis=1) * dt - 0.5 * turns * dt
    x: FloatArray = pose[0] + np.cumsum(speeds * np.cos(directions), axis=1) * dt
    y: FloatArray = pose[1] + np.cumsum(speeds * np.sin(directions), axis=1) * dt
    return x, y


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
