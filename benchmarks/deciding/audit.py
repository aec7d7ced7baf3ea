"""Whether the audit finds planted faults, and nothing where there is nothing to find.

    python benchmarks/deciding/audit.py [--audits 20] [--first 0] [--episodes 28] [--jobs 2]
                                        [--group planted|sound]

Scripted models that know all but one thing drive episodes drawn from socnavbench-33 and paseo-33 in
turn (without recordings, from paseo-33 alone), no two at the same pace; the audit must name that
thing first in 19 of 20. Nothing may be named, in 19 of 20, of a model that knows all, of one that
errs at random and heeds nothing of it, and of one whose dice anything it is told throws anew.
Prints a line for each audit and the seconds it took; fails below either.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from paseo.data.store.locations import data_dir
from paseo.data.suites.suite_file import SuiteFile, shipped_suite
from paseo.data.suites.suite_writing import suite_bytes
from paseo.suite.audit.auditing import Audit, AuditOptions, audit_run
from paseo.suite.running import run
from paseo.suite.runs.planning import RunOptions

PLACES = {"q_person_spatial_position_begin", "q_person_spatial_position_end"}
PLANTED = {
    "blind-sides": PLACES,
    "blind-motion": {"q_person_distance_change"},
    "blind-obstruction": {"q_obstructing_path", "q_obstructing_end_position"},
    "blind-behind": PLACES,
}
SOUND = ("fickle", "heedless", "fickle", "believing")
PACES = 0.8, 1.5  # seconds from decision to decision, between which one is drawn
WANTED = 0.95


def audited(model: str, number: int, options: argparse.Namespace, folder: Path) -> Audit:
    """One drive of some episodes by a model, and its audit."""
    rng = np.random.default_rng(number)
    recorded = number % 8 >= 4 and (data_dir() / "ethucy").is_dir()
    whole = shipped_suite("socnavbench-33" if recorded else "paseo-33")
    assert isinstance(whole, SuiteFile)
    some = rng.permutation(len(whole.episodes))[: options.episodes]
    entries = [whole.episodes[int(k)] for k in sorted(some)]
    suite = SuiteFile(format="paseo-suite", version=1, name=f"part-{number}", episodes=entries)
    file = folder / f"{model}-{number}.toml"
    file.write_bytes(suite_bytes(suite, ".toml"))
    pace = round(rng.uniform(*PACES), 2)
    planner = f"vlm:model=scripted/{model}:view=text:think=questions:every_s={pace}"
    out = folder / f"{model}-{number}"
    run(file, planner, out=out, options=RunOptions(jobs=options.jobs))
    return audit_run(out, AuditOptions(controls=0, jobs=options.jobs))


def main() -> int:
    """Print every audit, and how many came out right."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--audits", type=int, default=20)
    words.add_argument("--episodes", type=int, default=28)
    words.add_argument("--first", type=int, default=0, help="number of the first")
    words.add_argument("--group", choices=("planted", "sound"), help="only these")
    words.add_argument("--jobs", type=int, default=2)
    options = words.parse_args()
    groups = [options.group] if options.group else ["planted", "sound"]
    right = dict.fromkeys(groups, 0)
    with tempfile.TemporaryDirectory() as place:
        for group in groups:
            models = tuple(PLANTED) if group == "planted" else SOUND
            for number in range(options.first, options.first + options.audits):
                model = models[number % len(models)]
                began = time.monotonic()
                found = audited(model, number, options, Path(place))
                first = found.named[0] if found.named else "nothing"
                well = first in PLANTED[model] if group == "planted" else not found.named
                right[group] += well
                cost = f"{found.costs[0].contacts.mean:.2f}" if found.costs else "-"
                print(f"{'ok  ' if well else 'MISS'} {model:18s} {found.decisions:4d} decisions, "
                      f"{found.contacts:3d} contacts: {first} ({cost} per decision), "
                      f"{time.monotonic() - began:.0f} s", flush=True)  # fmt: skip
    for group, count in right.items():
        print(f"{group}: {count} of {options.audits} as they should be")
    return int(min(right.values()) < WANTED * options.audits)


if __name__ == "__main__":
    sys.exit(main())
