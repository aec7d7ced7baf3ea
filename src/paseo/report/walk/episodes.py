"""Episodes as a web page shows them: a place, its people, and every planner's drive."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

from paseo.metrics.comparison.comparison import MeasuredEpisode
from paseo.metrics.comparison.rows import Row
from paseo.render.raster.viewport import Box, shown_box
from paseo.render.staging.backdrop import ways
from paseo.report.walk.packing import curve, packed
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.recordfile import load_record
from paseo.world.records import Record, Verdict
from paseo.world.space.floorplan import FloorPlan

SAMPLING = 0.1  # seconds between samples of a track, about
Point = tuple[float, float]  # metres from the corner of the place
Touch = tuple[int, float, float, float, float, bool]
# person, begins, ends (seconds), x, y of the robot, whether it counts


@dataclass(frozen=True, slots=True, kw_only=True)
class CrowdView:
    """People's tracks, from the record that lasted longest of those that share them."""

    people: int
    radius: float
    step: float  # seconds between samples; the last one is at `end`
    end: float
    tracks: str  # packed: how many stays; of each the person, first sample, count, x and y


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveView:
    """One planner's way through an episode."""

    planner: int  # which row
    crowd: int  # of its scene: whose people were around
    radius: float
    step: float
    end: float
    verdict: Verdict
    outcome: str
    reason: str
    touches: int
    contacts: tuple[Touch, ...]
    track: str  # packed: samples, x, y, heading
    record: str  # name of its file


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeView:
    """One episode with one seed; coordinates are in metres from the corner of its place."""

    title: str
    map: str
    place: int
    box: Box
    start: Point
    goal: Point
    goal_radius: float
    reference: bool
    crowds: tuple[CrowdView, ...]
    drives: tuple[DriveView, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    episode: MeasuredEpisode
    planner: int  # which row
    record: Record


@dataclass(slots=True)
class Places:
    """The floor plans of all scenes, each once."""

    plans: list[FloorPlan] = field(default_factory=list)

    def number(self, plan: FloorPlan) -> int:
        """Which one this is; it is kept if it is new."""
        for number, known in enumerate(self.plans):
            if known.name == plan.name and np.array_equal(known.walls, plan.walls):
                return number
        self.plans.append(plan)
        return len(self.plans) - 1


def corner_of(plan: FloorPlan) -> FloatArray:
    """The corner of a place that its coordinates on the page are taken from, (2,)."""
    corner: FloatArray = plan.walls.min(axis=(0, 1))
    return corner


def scenes_of(
    measured: Sequence[MeasuredEpisode], rows: Sequence[Row], places: Places
) -> Iterator[tuple[EpisodeView, Sequence[Record]]]:
    """Every episode and seed with the records of all planners; those of references come last."""
    groups: dict[tuple[str, int], list[MeasuredEpisode]] = {}
    for each in sorted(measured, key=lambda each: each.row.is_reference):
        groups.setdefault((each.episode, each.seed), []).append(each)
    several = len({seed for _, seed in groups}) > 1
    for (episode, seed), group in groups.items():
        runs = [_Run(each, rows.index(each.row), load_record(each.record)) for each in group]
        # Two runs may call different tasks by one name: those are different scenes.
        tasks = [_task(run.record, places) for run in runs]
        for task in dict.fromkeys(tasks):
            found = [run for run, other in zip(runs, tasks, strict=True) if other == task]
            title = f"{episode}, seed {seed}" if several else episode
            yield _scene(found, task[0], title=title), [run.record for run in found]


def _task(record: Record, places: Places) -> tuple[int, Point, Point]:
    scenario = record.scenario
    start, goal = scenario.start, scenario.goal
    return places.number(scenario.floorplan), (start.x, start.y), (goal.x, goal.y)


def _scene(runs: Sequence[_Run], place: int, *, title: str) -> EpisodeView:
    records = [run.record for run in runs]
    scenario = records[0].scenario
    corner = corner_of(scenario.floorplan)
    (x, y), box = corner.tolist(), shown_box(scenario.floorplan, ways(records))
    owners, whose = shared_crowds(records)
    return EpisodeView(
        title=title,
        map=scenario.floorplan.name,
        place=place,
        box=Box(*(round(each, 2) for each in (box.x0 - x, box.y0 - y, box.x1 - x, box.y1 - y))),
        start=(round(scenario.start.x - x, 2), round(scenario.start.y - y, 2)),
        goal=(round(scenario.goal.x - x, 2), round(scenario.goal.y - y, 2)),
        goal_radius=scenario.goal_radius,
        reference=all(run.episode.row.is_reference for run in runs),
        crowds=tuple(_crowd(records[owner], corner) for owner in owners),
        drives=tuple(
            _drive(run, owners.index(owner), corner) for run, owner in zip(runs, whose, strict=True)
        ),
    )


def shared_crowds(records: Sequence[Record]) -> tuple[list[int], list[int]]:
    """Whose people to keep, and in whose every record's people are found.

    People who do not answer the robot are the same in all records, for as long as these last.
    """
    whose: dict[int, int] = {}
    for k in sorted(range(len(records)), key=lambda k: -len(records[k].robot)):
        owners = list(dict.fromkeys(whose.values()))
        same = (owner for owner in owners if _begins_alike(records[owner], records[k]))
        whose[k] = next(same, k)
    ordered = [whose[k] for k in range(len(records))]
    return list(dict.fromkeys(ordered)), ordered


def _begins_alike(longer: Record, shorter: Record) -> bool:
    return (
        longer.scenario.dt == shorter.scenario.dt
        and longer.scenario.person_radius == shorter.scenario.person_radius
        and np.array_equal(longer.ids, shorter.ids)
        and np.array_equal(longer.people[: len(shorter.people)], shorter.people, equal_nan=True)
    )


def _sampled(record: Record) -> tuple[IntArray, float]:
    """The states whose places are kept, about ten in a second, with the last; and their step."""
    stride = max(1, round(SAMPLING / record.scenario.dt))
    steps = np.unique([*range(0, len(record.robot), stride), len(record.robot) - 1])
    return steps.astype(np.int64), stride * record.scenario.dt


def _crowd(record: Record, corner: FloatArray) -> CrowdView:
    states, step = _sampled(record)
    places = record.people[states] - corner  # (samples, people, 2)
    stays = [stay for person in range(places.shape[1]) for stay in _stays(places[:, person])]
    people = [person for person in range(places.shape[1]) for _ in _stays(places[:, person])]
    parts = [np.array([len(stays)])]
    for person, (first, walked) in zip(people, stays, strict=True):
        head = np.array([person, first, len(walked)])
        parts += [head, curve(walked[:, 0]), curve(walked[:, 1])]
    return CrowdView(
        people=places.shape[1],
        radius=record.scenario.person_radius,
        step=round(step, 9),
        end=round(float(record.times[-1]), 6),
        tracks=packed(parts),
    )


def _stays(places: FloatArray) -> list[tuple[int, FloatArray]]:
    """When one person is there: the first sample and the places (samples, 2) of each stay."""
    present = np.flatnonzero(~np.isnan(places[:, 0])).tolist()
    runs = groupby(enumerate(present), key=lambda each: each[1] - each[0])
    ends = [[sample for _, sample in run] for _, run in runs]
    return [(run[0], places[run[0] : run[-1] + 1]) for run in ends]


def _drive(run: _Run, crowd: int, corner: FloatArray) -> DriveView:
    record = run.record
    states, step = _sampled(record)
    x, y = (record.robot[states, :2] - corner).T
    heading = np.unwrap(record.robot[states, 2])
    columns = {person: column for column, person in enumerate(record.ids.tolist())}
    dt = record.scenario.dt
    return DriveView(
        planner=run.planner,
        crowd=crowd,
        radius=record.scenario.robot.radius,
        step=round(step, 9),
        end=round(float(record.times[-1]), 6),
        verdict=record.verdict,
        outcome=record.outcome.value,
        reason=record.reason,
        touches=record.touches,
        contacts=tuple(
            (
                columns[each.person],
                round(each.first_step * dt, 3),
                round(each.last_step * dt, 3),
                round(each.x - float(corner[0]), 2),
                round(each.y - float(corner[1]), 2),
                each.counted,
            )
            for each in record.contacts
        ),
        track=packed([np.array([len(states)]), curve(x), curve(y), curve(heading)]),
        record=run.episode.record.name,
    )
