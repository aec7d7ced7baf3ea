"""Measured episodes with their records, and the page that reports them."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from comparisons import compared, episode
from drives import line, record
from paseo.metrics.comparison.measured import MeasuredEpisode
from paseo.report.walk.episodes import RecordView, view_of
from paseo.report.walk.figures.distributions import DISTANCE, TIME
from paseo.report.walk.webpage import webpage
from paseo.world.records import Contact, Outcome, Record
from worlds import plan

BAD = "</script><img src=x onerror=alert(1)>\"'&{{data}}"
SAMPLES = {DISTANCE: np.linspace(0, 10, 120), TIME: np.linspace(0, 10, 119)}


def bump() -> Record:
    contact = Contact(person=1, first_step=20, last_step=24, x=3.0, y=5.0, counted=True)
    return record(line(), [line(speed=0.5) + (0, 1)], contacts=[contact])


Viewed = list[tuple[MeasuredEpisode, RecordView]]


def viewed(name: str, records: dict[str, Record]) -> Viewed:
    """Records of planners in one episode; it, its map and its ending have the same name."""
    found: Viewed = []
    for planner, made in records.items():
        task = replace(made.scenario, name=name, floorplan=plan(name, (0, 0, 10, 10)))
        view = view_of(replace(made, reason=name, scenario=task))
        path = Path(f"{len(found)}.npz")
        samples = SAMPLES if len(made.robot) > 1 else {}
        each = episode(name, planner, verdict=made.verdict, record=path, samples=samples)
        found.append((each, view))
    return found


def measured(name: str = "e0", planner: str = "a") -> Viewed:
    """Two planners, the second failing at once."""
    quits = record(line()[:1], [(2, 6)], outcome=Outcome.PLANNER_FAILED)
    return viewed(name, {planner: bump(), "quits": quits})


def page(found: Viewed, title: str = "mine") -> str:
    return webpage(found, compared(*(each for each, _ in found)), title=title).decode()
