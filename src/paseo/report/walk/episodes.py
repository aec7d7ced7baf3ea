"""Episodes as a web page shows them: a place, its people, and every planner's drive."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

import numpy as np

from paseo.metrics.comparison.measured import MeasuredEpisode
from paseo.metrics.comparison.rows import Row
from paseo.metrics.record.contacts.causes import causes_of
from paseo.render.raster.viewport import Box, shown_box
from paseo.render.staging.backdrop import ways
from paseo.report.walk.figures.drives import Drive, drive_of
from paseo.report.walk.packing import curve, packed, way_path
from paseo.report.walk.views.sights import RobotViews, Sight, chosen_sights
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.motion import Pose
from paseo.world.records import Cause, Contact, Record, Verdict
from paseo.world.scenarios import Scenario
from paseo.world.space.floorplan import FloorPlan

SAMPLING = 0.1  # seconds between samples of a track, about
STROLL = 0.4  # seconds between points of people's ways
MOST_PEOPLE = 150  # whose ways are drawn
ROBOTS, PEOPLES = 0.06, 0.15  # metres by which a drawn way may differ from the true one
Point = tuple[float, float]  # metres from the corner of the place
Touch = tuple[int, float, float, float, float, str]
# person, begins, ends (seconds), x, y of the robot, whose doing it was, or "" where none counts


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

    planner: int = 0  # which row
    crowd: int = 0  # of its scene: whose people were around
    radius: float
    step: float
    end: float
    verdict: Verdict
    outcome: str
    reason: str
    touches: int
    contacts: tuple[Touch, ...]
    track: str  # packed: samples, x, y, heading
    record: str = ""  # name of its file


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordView:
    """What a page shows of one record; small enough that all of a report's are kept."""

    floorplan: FloorPlan  # its walls, on a grid of a single cell
    start: Pose
    goal: Pose
    goal_radius: float
    states: int
    reach: FloatArray  # (2, 2), two corners of the box around the robot's way and goal
    people: bytes  # of which those of a shorter record with the same people are the beginning
    crowd: CrowdView
    drive: DriveView
    way: str  # the robot's, as the path of a picture
    strolls: str  # everybody's
    driven: Drive  # as the pictures of whole maps show it
    sights: tuple[Sight, ...] = ()  # of which there are to be pictures, dearest first


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    episode: MeasuredEpisode
    planner: int  # which row
    view: RecordView


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


def view_of(record: Record) -> RecordView:
    """What a page shows of a record, whatever others there are."""
    scenario = record.scenario
    plan = scenario.floorplan
    corner, way = corner_of(plan), ways([record])
    return RecordView(
        floorplan=replace(plan, free=np.ones((1, 1), np.bool_), places=(), source=""),
        start=scenario.start,
        goal=scenario.goal,
        goal_radius=scenario.goal_radius,
        states=len(record.robot),
        reach=np.stack([way.min(axis=0), way.max(axis=0)]),
        people=_people_print(record),
        crowd=_crowd(record, corner),
        drive=_drive(record, corner),
        way=way_path(record.robot[:, :2] - corner, roughly=ROBOTS),
        strolls=_strolls(record, corner),
        driven=drive_of(record),
    )


def view_with_sights(record: Record, *, views: RobotViews) -> RecordView:
    """The same with the moments of which the robot's view is to be shown."""
    return replace(view_of(record), sights=chosen_sights(record, views))


def scenes_of(
    viewed: Sequence[tuple[MeasuredEpisode, RecordView]], rows: Sequence[Row], places: Places
) -> Iterator[tuple[EpisodeView, Sequence[RecordView]]]:
    """Every episode and seed with the records of all planners; those of references come last."""
    groups: dict[tuple[str, int], list[_Run]] = {}
    for each, view in sorted(viewed, key=lambda pair: pair[0].row.is_reference):
        run = _Run(each, rows.index(each.row), view)
        groups.setdefault((each.episode, each.seed), []).append(run)
    several = len({seed for _, seed in groups}) > 1
    for (episode, seed), runs in groups.items():
        # Two runs may call different tasks by one name: those are different scenes.
        tasks = [_task(run.view, places) for run in runs]
        for task in dict.fromkeys(tasks):
            found = [run for run, other in zip(runs, tasks, strict=True) if other == task]
            title = f"{episode}, seed {seed}" if several else episode
            yield _scene(found, task[0], title=title), [run.view for run in found]


def _task(view: RecordView, places: Places) -> tuple[int, Point, Point]:
    start, goal = view.start, view.goal
    return places.number(view.floorplan), (start.x, start.y), (goal.x, goal.y)


def _scene(runs: Sequence[_Run], place: int, *, title: str) -> EpisodeView:
    views = [run.view for run in runs]
    first = views[0]
    (x, y) = corner_of(first.floorplan).tolist()
    box = shown_box(first.floorplan, np.concatenate([view.reach for view in views]))
    owners, whose = shared_crowds(views)
    return EpisodeView(
        title=title,
        map=first.floorplan.name,
        place=place,
        box=Box(*(round(each, 2) for each in (box.x0 - x, box.y0 - y, box.x1 - x, box.y1 - y))),
        start=(round(first.start.x - x, 2), round(first.start.y - y, 2)),
        goal=(round(first.goal.x - x, 2), round(first.goal.y - y, 2)),
        goal_radius=first.goal_radius,
        reference=all(run.episode.row.is_reference for run in runs),
        crowds=tuple(views[owner].crowd for owner in owners),
        drives=tuple(
            replace(
                run.view.drive,
                planner=run.planner,
                crowd=owners.index(owner),
                record=run.episode.record.name,
            )
            for run, owner in zip(runs, whose, strict=True)
        ),
    )


def shared_crowds(views: Sequence[RecordView]) -> tuple[list[int], list[int]]:
    """Whose people to keep, and in whose every record's people are found.

    People who do not answer the robot are the same in all records, for as long as these last.
    """
    whose: dict[int, int] = {}
    for k in sorted(range(len(views)), key=lambda k: -views[k].states):
        owners = list(dict.fromkeys(whose.values()))
        same = (owner for owner in owners if views[owner].people.startswith(views[k].people))
        whose[k] = next(same, k)
    ordered = [whose[k] for k in range(len(views))]
    return list(dict.fromkeys(ordered)), ordered


def _people_print(record: Record) -> bytes:
    """A print of who is there and of everybody's place at each state, one after the other."""
    scenario = record.scenario
    who = f"{scenario.dt!r} {scenario.person_radius!r} {record.ids.tolist()}".encode()
    states = (record.people + 0.0).astype(np.float64)  # without negative zeros
    return b"".join(_print(part) for part in (who, *(state.tobytes() for state in states)))


def _print(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=8).digest()


def _strolls(record: Record, corner: FloatArray) -> str:
    """Everybody's ways, as one path; of many people, those of some."""
    stride = max(1, round(STROLL / record.scenario.dt))
    places = np.swapaxes(record.people[::stride] - corner, 0, 1)  # (people, points, 2)
    kept = np.linspace(0, len(places) - 1, min(len(places), MOST_PEOPLE)).round().astype(int)
    walked = (way[~np.isnan(way[:, 0])] for way in places[np.unique(kept)])
    return "".join(way_path(way, roughly=PEOPLES) for way in walked)


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


def _drive(record: Record, corner: FloatArray) -> DriveView:
    states, step = _sampled(record)
    x, y = (record.robot[states, :2] - corner).T
    heading = np.unwrap(record.robot[states, 2])
    return DriveView(
        radius=record.scenario.robot.radius,
        step=round(step, 9),
        end=round(float(record.times[-1]), 6),
        verdict=record.verdict,
        outcome=record.outcome.value,
        reason=record.reason,
        touches=record.touches,
        contacts=touches_of(record.contacts, record.scenario, causes_of(record)),
        track=packed([np.array([len(states)]), curve(x), curve(y), curve(heading)]),
    )


def touches_of(
    contacts: Sequence[Contact], scenario: Scenario, causes: Mapping[Contact, Cause]
) -> tuple[Touch, ...]:
    """Contacts as a page shows them; those whose cause is not known have none."""
    columns = {track.id: column for column, track in enumerate(scenario.tracks)}
    (x, y), dt = corner_of(scenario.floorplan).tolist(), scenario.dt
    return tuple(
        (
            columns[each.person],
            round(each.first_step * dt, 3),
            round(each.last_step * dt, 3),
            round(each.x - x, 2),
            round(each.y - y, 2),
            causes[each].value if each in causes else "",
        )
        for each in contacts
    )
