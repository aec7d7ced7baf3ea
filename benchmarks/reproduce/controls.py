"""The two best planners in both controls, on the paper's episodes and on crowds nobody tuned on.

A robot that is told positions turns at once; one that is told velocities turns at 1.1 rad/s and
cannot step aside. So both controls stand side by side: successes, contacts, contacts with people
who appeared less than a second before, the restricted mean time to the goal, jerk. The held-out
crowds are sampled from the five recordings with a seed that no planner was tuned with.

Beside the contacts stand those that the robot caused, and those that no manoeuvre within its limits
could have avoided (see `paseo.metrics.record.contacts`).

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
from paseo.metrics.record.contacts.causes import contact_causes
from paseo.report.table import text_table
from paseo.world.arrays import FloatArray
from paseo.world.motion import Control
from paseo.world.recordfile import load_record
from paseo.world.records import Cause, Contact, Outcome, Record, Verdict

PASEO = Path(sys.executable).with_name("paseo")
RECORDINGS = ("eth", "hotel", "univ", "zara01", "zara02")
SEED = 201  # of the held-out crowds
SUDDEN = 1.0  # seconds since somebody appeared
ROWS = {"mppi": "mppi", "sacadrl": "sacadrl (no-rules)"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One planner in one control, over episodes and seeds."""

    episodes: int
    successes: int
    contacts: int
    sudden: int  # contacts with people who appeared less than a second before
    caused: int  # contacts that were the robot's doing
    hopeless: int  # contacts that no manoeuvre could have avoided
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
            rows.append(_row(shown, control, seeds, _line(records)))
    header = ("planner", "control", "successes", "of", "contacts", "sudden", "caused",
              "unavoidable", "time s", "jerk m/s^3")  # fmt: skip
    return text_table(header, rows)


def _row(shown: str, control: Control, seeds: int, line: Line) -> tuple[str, ...]:
    """Counts are means over seeds."""
    return (
        shown, control.value, f"{line.successes / seeds:.1f}", f"{line.episodes / seeds:.0f}",
        f"{line.contacts / seeds:.1f}", f"{line.sudden / seeds:.1f}", f"{line.caused / seeds:.1f}",
        f"{line.hopeless / seeds:.1f}",
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


def _line(records: Sequence[Record]) -> Line:
    found = [(each, why) for each in records for why in contact_causes(each)]
    jolts = [_jerk(each) for each in records]
    return Line(
        episodes=len(records),
        successes=sum(each.verdict is Verdict.SUCCESS for each in records),
        contacts=len(found),
        sudden=sum(is_sudden(each, why.contact) for each, why in found),
        caused=sum(why.cause is Cause.CAUSED for _, why in found),
        hopeless=sum(not why.avoidable for _, why in found),
        time=float(np.mean([_time_to_goal(each) for each in records])),
        jerk=float(np.concatenate(jolts).mean()),
    )


def is_sudden(record: Record, contact: Contact) -> bool:
    """Whether the person had appeared less than a second before."""
    column = int(np.flatnonzero(record.ids == contact.person)[0])
    appeared = int(np.argmin(np.isnan(record.people[:, column, 0])))
    return (contact.first_step - appeared) * record.scenario.dt < SUDDEN


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
