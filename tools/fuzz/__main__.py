"""`python -m fuzz`: so many mutants of each kind of file; 1 if any was not dealt with well."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from fuzz import table
from fuzz.examples import made
from fuzz.progress import Progress
from fuzz.sharing import shared
from fuzz.table import Row
from fuzz.target import Target
from fuzz.targets import TARGETS
from fuzz.watching import Order, Problem, keep

DRAFTS = Path("build/fuzz")


def main(arguments: list[str] | None = None) -> int:
    """Fuzz, print a table, and say what failed; Ctrl-C ends it with what was tried so far."""
    options = parser().parse_args(arguments)
    progress = Progress((options.keep or DRAFTS) / "rows.jsonl", options.seed, options.mutants)
    rows = progress.rows() if options.resume else {}
    chosen = [each for name, each in TARGETS.items() if options.only in name and name not in rows]
    with TemporaryDirectory() as workshop, suppress(KeyboardInterrupt):
        fuzz([_order(each, Path(workshop), options) for each in chosen], options, rows, progress)
    print(table.text([rows[name] for name in TARGETS if name in rows and options.only in name]))
    failed = table.causes(rows.values(), options.seed)
    print(f"\n{failed}" if failed else "\nevery mutant was taken or refused as it should be")
    return 1 if failed else 0


def parser() -> argparse.ArgumentParser:
    """What may be asked for."""
    asked = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    asked.add_argument("--mutants", type=int, default=2000, help="of each kind (default: 2000)")
    asked.add_argument("--seed", default="1", help="of all chance (default: 1)")
    asked.add_argument("--only", default="", metavar="TEXT", help="kinds with this in their names")
    asked.add_argument("--number", type=int, help="one mutant alone, to repeat it")
    asked.add_argument(
        "--keep", type=Path, metavar="DIR", help="put the first of each failure there"
    )
    asked.add_argument("--jobs", type=int, default=1, help="processes at once (default: 1)")
    asked.add_argument(
        "--resume", action="store_true", help="leave out kinds that an earlier call found faultless"
    )
    return asked


def _order(target: Target, workshop: Path, options: argparse.Namespace) -> Order:
    first = options.number or 0
    last = first + 1 if options.number is not None else options.mutants
    return Order(target=target, first=first, last=last, example=made(target.example, workshop))


def fuzz(
    orders: Sequence[Order],
    options: argparse.Namespace,
    rows: dict[str, Row],
    progress: Progress,
) -> None:
    """Fill a row for each target; what fails is told and kept when it is first met."""
    by_name = {each.target.name: each for each in orders}
    for each in shared(orders, options.seed, options.jobs):
        row = rows.setdefault(each.target, Row(each.target))
        if isinstance(each, Problem):
            row.problem = " ".join(each.words.split())
            print(f"not fuzzed: {each.target}: {row.problem}", file=sys.stderr)
            continue
        if row.add(each):
            told = f"{each.verdict}: {each.target} {each.number}: {each.where}"
            print(told, file=sys.stderr, flush=True)
            if options.keep is not None:
                keep(each, by_name[each.target], options.seed, options.keep)
        if row.counts.total() == options.mutants:
            progress.add(row)


if __name__ == "__main__":
    sys.exit(main())
