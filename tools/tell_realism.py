"""Write the measured realism of `paseo-33` into docs/why/realism.md, and pin it for the tests.

Usage: python tools/tell_realism.py DATA_FOLDER
"""

import io
import json
import sys
import textwrap
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np

from paseo.cli.main import main as paseo
from paseo.data.store.locations import DataFolder
from paseo.data.suites.episodes import Choices, scenario
from paseo.data.suites.suite_file import shipped_suites
from paseo.metrics.crowding import crowd_statistics

TOP = Path(__file__).parents[1]
HEADING = "## The shipped crowds\n"


def main() -> None:
    """Measure, pin and tell."""
    found = measured(sys.argv[1])
    pins = {
        name: {statistic: each["distance"] for statistic, each in place["statistics"].items()}
        for name, place in found.items()
    }
    pinned = TOP / "tests" / "reference" / "paseo_33_realism.json"
    pinned.write_text(json.dumps(pins, indent=1) + "\n")
    page = TOP / "docs" / "why" / "realism.md"
    before = page.read_text().partition(HEADING)[0]
    page.write_text(f"{before}{HEADING}\n{told(found)}\n")


def measured(data: str) -> dict[str, Any]:
    """Per map, what `paseo crowd realism` says about the suite."""
    text = io.StringIO()
    with redirect_stdout(text):
        paseo(["crowd", "realism", "paseo-33", "--data", data, "--json"])
    crowds = json.loads(text.getvalue())["crowds"]
    return {
        crowd["name"].removeprefix("paseo-33 on "): {
            "place": crowd["nearest"],
            **crowd["places"][crowd["nearest"]],
            "episodes": crowd["episodes"],
        }
        for crowd in crowds
    }


def told(found: dict[str, Any]) -> str:
    """The section of the page."""
    statistics = list(next(iter(found.values()))["statistics"])
    rows = [f"| statistic | bar | {' | '.join(found)} |", "|---" * (len(found) + 2) + "|"]
    for statistic in statistics:
        each = [place["statistics"][statistic] for place in found.values()]
        rows.append(f"| {statistic} | {number(each[0]['bar'], each[0]['bar'])} | "
                    f"{' | '.join(map(_cell, each))} |")  # fmt: skip
    everything = [(n, s, c) for n, place in found.items() for s, c in place["statistics"].items()]
    beyond = [f"{s} on {n}" for n, s, c in everything if c["distance"] > c["bar"]]
    told_beyond = textwrap.fill(f"Beyond the bar: {', '.join(beyond) or 'none'}.", 120)
    aimed = sum(c["distance"] <= c["bar"] / 2 for *_, c in everything)
    mean, deviation, least, most = people()
    return f"""\
The suite `paseo-33` comes with Paseo: 33 episodes of 60 s with **synthetic** crowds on the five shipped floor plans, each
episode a minute of its own. `tools/make_paseo_33.py` makes them from the shipped [recipes](../guides/crowds.md). People per episode:
mean {mean:.0f}, sd {deviation:.0f}, min {least}, max {most} (printed in the SocNavBench paper: 44, 13, 24, 72; the real
`socnavbench-33` under the rule `everyone`: 68, 42, 14, 152).

Distances of all crowds of a floor plan, pooled, to the whole recording of its place (HotelSmall and DoubleHotel: hotel, Zara:
both recordings); in brackets how many of its minutes lie inside the 5 to 95 % range of real windows of 60 s. Within the aim:
{aimed} of {len(everything)}.
{told_beyond}

{chr(10).join(rows)}

DoubleHotel shows two crowds like that of hotel side by side, so that it has twice the people at once, as the real
episodes there have. A test pins this table: no distance may grow."""


def _cell(each: dict[str, Any]) -> str:
    mark = "**" if each["distance"] > each["bar"] else ""
    distance = number(each["distance"], each["bar"])
    return f"{mark}{distance}{mark} ({each['inside_windows']}/{each['short_parts']})"


def number(value: float, bar: float) -> str:
    """A distance or bar to a hundredth of the bar or better."""
    return f"{value:.3f}" if bar > 0.05 else f"{value:.4f}"


def people() -> tuple[float, float, int, int]:
    """Mean, standard deviation, least and most people of an episode."""
    entries = shipped_suites()["paseo-33"].episodes
    counts = [
        crowd_statistics(scenario(entry, Choices(), DataFolder(Path("nowhere")))).people
        for entry in entries
    ]
    return float(np.mean(counts)), float(np.std(counts)), min(counts), max(counts)


if __name__ == "__main__":
    main()
