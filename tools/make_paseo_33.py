"""Make the crowds and the suite that ship as `paseo-33`, version 2, from the shipped recipes.

Usage: python tools/make_paseo_33.py

One synthetic crowd per floor plan, a minute for each episode, so that no two episodes share their
people. In each minute tasks are drawn, and one is taken on which every reference drive meets what
the episode is named after. The seed of a crowd is the first with which all wishes come true.

Version 1 (`paseo-33-v1`) was made by an earlier generator, which judged whole minutes: it stays as
it is, and is kept here only in the list of crowds.
"""

import gzip
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path

import msgspec
import numpy as np
from msgspec import structs

import paseo
from paseo.crowd.generator.generator import generate_crowd
from paseo.data.maps.floorplans import shipped_floorplan
from paseo.data.recordings.csv_tracks import csv_bytes
from paseo.data.store.synthetic import FPS, Index, SyntheticCrowd, synthetic_crowds
from paseo.data.suites.crowd_recipe import shipped_recipe
from paseo.data.suites.suite_file import EpisodeEntry, PlacedRecording, SuiteFile
from paseo.data.suites.suite_writing import suite_bytes
from paseo.files import write_whole
from paseo.metrics.encounters import Direction, Meetings, people_on_clock
from paseo.metrics.reference_drives import TICK, Drive, ReferenceDrive, reference_drives
from paseo.suite.sampling.judging import SampledEpisode, Unfit, judged
from paseo.suite.sampling.tasks import Needs, ground_of, task_anywhere, task_between_places
from paseo.suite.sampling.telling import entry_of
from paseo.suite.sampling.windows import window_of
from paseo.suite.sampling.wishes import SamplingOptions
from paseo.world.motion import Pose
from paseo.world.recipes import Habit
from paseo.world.scenarios import Scenario
from paseo.world.tracks import Recording

SHIPPED = Path(paseo.__file__).parent / "data" / "shipped"
MINUTE = 60.0
DRAWS = 300  # tasks looked at in each minute
SEEDS = range(33, 133)
WISHES = SamplingOptions(count=1, encounters=2)
SPACE = 1.5  # metres around the robot, where nobody
AT_START = 2.0  # is for so many seconds from the start, and nobody
NEWCOMER_TIME = 1.0  # appears so many seconds before and after a reference drive is there
DENSE = 0.1  # people per free square metre within 3 m of the robot
CLEARANCE = WISHES.robot.needed_clearance + 0.2
# As many episodes of each place as in socnavbench-33, and what they are to show.
PLACES = {
    "ETH": ["against", "against", "dense_against", "along", "crossing", "mixed"],
    "HotelSmall": ["against", "along", "crossing", "through_group", "dense"],
    "DoubleHotel": ["around_corner", "against", "crossing"],
    "Univ": [
        "around_corner", "through_group", "crossing", "crossing", "against", "along", "dense",
        "mixed",
    ],
    "Zara": [
        "past_queue", "around_corner", "through_group", "against", "against", "along", "along",
        "crossing", "crossing", "dense", "mixed",
    ],
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """An episode that could be taken, and what it shows, in the words that name it."""

    episode: SampledEpisode
    shows: frozenset[str]


Minute = Sequence[Candidate]


def main() -> None:
    """Write everything."""
    kept = {name: replace(each, is_current=False) for name, each in synthetic_crowds().items()}
    episodes = []
    for place, wishes in PLACES.items():
        crowd, about, chosen = made(place, wishes)
        write_whole(about.file, gzip.compress(csv_bytes(crowd), mtime=0))
        kept[about.name] = about
        episodes += chosen
        print(f"{about.name}: seed {about.seed}, {len(crowd.tracks)} people, "
              f"{about.file.stat().st_size} bytes", flush=True)  # fmt: skip
    index = Index(format="paseo-synthetic-crowds", version=1, crowds=list(kept.values()))
    text = msgspec.json.format(msgspec.json.encode(index), indent=1)
    write_whole(SHIPPED / "crowds" / "index.json", text + b"\n")
    suite = SuiteFile(
        format="paseo-suite",
        version=1,
        name="paseo-33",
        edition=2,
        description="33 encounters with synthetic crowds on the shipped maps; needs no recordings",
        episodes=episodes,
        planners=["straight", "stop"],
    )
    write_whole(SHIPPED / "suites" / "paseo-33.toml", suite_bytes(suite, ".toml"))


def made(place: str, wishes: Sequence[str]) -> tuple[Recording, SyntheticCrowd, list[EpisodeEntry]]:
    """The first crowd of a place each minute of which can show another of the wishes."""
    plan, duration = shipped_floorplan(place), len(wishes) * MINUTE
    recipe = shipped_recipe(place).recipe(plan)
    name = f"synthetic-{place.lower()}-2"
    for seed in SEEDS:
        crowd = generate_crowd(plan, recipe, duration=duration, seed=seed)
        tracks = [replace(each, positions=each.positions.round(4)) for each in crowd.tracks]
        crowd = replace(crowd, name=name, tracks=tuple(tracks))  # as it will be read
        minutes = list(takewhile(bool, (candidates(crowd, place, k) for k in range(len(wishes)))))
        if len(minutes) < len(wishes):
            continue  # in the next one nobody is met
        minute_of = assigned(wishes, minutes)
        lacks = [wish for k, wish in enumerate(wishes) if k not in minute_of]
        print(f"{place}: seed {seed} lacks {', '.join(lacks) or 'nothing'}", flush=True)
        if not lacks:
            about = SyntheticCrowd(
                name=name, map=place, recipe=place, seed=seed, duration_s=duration,
                groups=crowd.groups,
            )  # fmt: skip
            return crowd, about, entries(wishes, minutes, minute_of, place)
    raise SystemExit(f"{place}: with no seed all of {', '.join(wishes)} come true; wish for less")


def candidates(crowd: Recording, place: str, minute: int) -> Minute:
    """Tasks in one minute of the crowd on which every reference drive meets people."""
    plan = shipped_floorplan(place)
    nobody = Scenario(name=place, floorplan=plan, start=Pose(0, 0), goal=Pose(0, 0),
                      groups=crowd.groups, time_limit=MINUTE)  # fmt: skip
    placed = PlacedRecording(recording=crowd.name, first_frame=round(minute * MINUTE * FPS))
    window = window_of(placed, crowd, nobody)
    needs = Needs(clearance=CLEARANCE, least_distance=8.0, most_distance=WISHES.reach)
    ground, rng = ground_of(plan, needs), np.random.default_rng(minute)
    found = []
    for k in range(DRAWS):
        task = (task_anywhere if k % 2 else task_between_places)(ground, rng)
        try:
            episode = judged(window, task, "", WISHES)
        except Unfit:
            continue
        world = replace(window.scenario, start=episode.start, goal=episode.task.goal)
        drives = reference_drives(world)
        if is_fair(world, drives.values()):
            found.append(Candidate(episode, frozenset(shown(episode, world, drives))))
    return found


def assigned(wishes: Sequence[str], minutes: Sequence[Minute]) -> dict[int, int]:
    """By wish the minute that fulfils it, each its own, for as many wishes as possible."""
    owner: dict[int, int] = {}

    def place(wish: int, tried: set[int]) -> bool:
        for minute, offers in enumerate(minutes):
            if minute in tried or not any(wishes[wish] in each.shows for each in offers):
                continue
            tried.add(minute)
            if minute not in owner or place(owner[minute], tried):
                owner[minute] = wish
                return True
        return False

    for wish in range(len(wishes)):
        place(wish, set())
    return {wish: minute for minute, wish in owner.items()}


def entries(
    wishes: Sequence[str], minutes: Sequence[Minute], minute_of: Mapping[int, int], place: str
) -> list[EpisodeEntry]:
    """The hardest task of each wish in its minute, as entries in order of time."""
    found = {}
    for k, wish in enumerate(wishes):
        fitting = [each.episode for each in minutes[minute_of[k]] if wish in each.shows]
        number = f"_{wishes[: k + 1].count(wish)}" if wishes.count(wish) > 1 else ""
        entry = entry_of(
            max(fitting, key=hardness), name=f"{wish}_{place.lower()}{number}", map=place
        )
        found[minute_of[k]] = structs.replace(entry, note=f"Synthetic crowd. {entry.note}")
    return [found[minute] for minute in sorted(found)]


def hardness(episode: SampledEpisode) -> tuple[int, int]:
    """People met on every drive, then on the direct one."""
    met = episode.meetings
    return met.least, len(met.drives[ReferenceDrive.DIRECT].met)


def is_fair(world: Scenario, drives: Iterable[Drive]) -> bool:
    """Whether nobody is beside the robot too soon for any planner, at its start or by appearing."""
    early = people_on_clock(world.tracks, AT_START).positions  # (ticks, people, 2)
    away = np.hypot(early[..., 0] - world.start.x, early[..., 1] - world.start.y)
    return not ((away < SPACE).any() or any(meets_a_newcomer(world, drive) for drive in drives))


def meets_a_newcomer(world: Scenario, drive: Drive) -> bool:
    """Whether somebody appears beside the robot."""
    waiting = np.repeat(drive.positions[-1:], round(4.0 / TICK), axis=0)
    places = np.concatenate([drive.positions, waiting])
    for track in world.tracks:
        if track.times[0] > 0.0:
            tick, reach = round(track.times[0] / TICK), round(NEWCOMER_TIME / TICK)
            about = places[max(0, tick - reach) : tick + reach + 1]
            if (np.hypot(*(about - track.positions[0]).T) < SPACE).any():
                return True
    return False


def shown(
    episode: SampledEpisode, world: Scenario, drives: Mapping[ReferenceDrive, Drive]
) -> Iterator[str]:
    """What happens on all reference drives, in the words that name an episode."""
    met = episode.meetings
    main = main_direction(met)
    names = {"against": Direction.AGAINST, "along": Direction.ALONG, "crossing": Direction.ACROSS}
    yield from (name for name, direction in names.items() if main is direction)
    dense = met.density_per_m2 >= DENSE and met.least >= 4
    if dense:
        yield "dense"
    if dense and main is Direction.AGAINST:
        yield "dense_against"
    if main is None:
        yield "mixed"
    if not world.floorplan.sees(world.start, world.goal):
        yield "around_corner"
    if any(passes_through(group, world, met, drives) for group in world.groups):
        yield "through_group"
    queues = [
        s
        for s in shipped_recipe(world.name).recipe(world.floorplan).stays
        if s.habit is Habit.QUEUE
    ]
    if any(
        all(passes_queue((q.x, q.y), world, drive) for drive in drives.values()) for q in queues
    ):
        yield "past_queue"


def main_direction(met: Meetings) -> Direction | None:
    """Which way more than half of all walk who are met, and somebody on every drive."""
    drives = met.drives.values()
    ways = Counter(each.direction for drive in drives for each in drive.met)
    (direction, count), *_ = ways.most_common(1)
    clear = count > ways.total() / 2 and all(drive.of(direction) for drive in drives)
    return direction if clear else None


def passes_through(
    group: Sequence[int], world: Scenario, met: Meetings, drives: Mapping[ReferenceDrive, Drive]
) -> bool:
    """Whether every drive meets two of the group, and the direct one goes between them."""
    if any(sum(e.person in group for e in each.met) < 2 for each in met.drives.values()):
        return False
    members = [track for track in world.tracks if track.id in group]
    drive = drives[ReferenceDrive.DIRECT]
    apart = people_on_clock(members, MINUTE).positions[: len(drive.positions)]
    apart = apart - drive.positions[: len(apart), None]  # (ticks, members, 2)
    middle = np.hypot(*apart.mean(axis=1).T)  # NaN until all are there
    if not (middle < 1.0).any():
        return False
    tick = int(np.nanargmin(middle))
    ahead = drive.headings[tick]
    sides = apart[tick] @ np.array([-ahead[1], ahead[0]])
    return bool(sides.min() < 0.0 < sides.max())


def passes_queue(front: tuple[float, float], world: Scenario, drive: Drive) -> bool:
    """Whether two people stand in line while the robot passes within 2.5 m of one of them."""
    people = people_on_clock(world.tracks, MINUTE)
    places = people.positions[: len(drive.positions)]
    speeds = np.hypot(*np.moveaxis(people.velocities[: len(places)], -1, 0))
    in_line = (np.hypot(*np.moveaxis(places - front, -1, 0)) < 2.5) & (speeds < 0.2)
    near = np.hypot(*np.moveaxis(places - drive.positions[: len(places), None], -1, 0)) < 2.5
    return bool(((in_line.sum(axis=1) >= 2) & (in_line & near).any(axis=1)).any())


if __name__ == "__main__":
    main()
