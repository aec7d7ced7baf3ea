"""Make the crowds and the suite that ship as `paseo-33`, from the shipped recipes.

Usage: python tools/make_paseo_33.py

One synthetic crowd per floor plan, a minute for each episode, so that no two episodes share their
people. In each minute tasks are sampled, and one is taken that shows what is still wanted.
"""

import gzip
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import shapely
from msgspec import structs

import paseo
from paseo.crowd.generator.generator import generate_crowd
from paseo.data.maps.floorplans import shipped_floorplan
from paseo.data.recordings.csv_tracks import csv_bytes
from paseo.data.store.synthetic import FPS, Index, SyntheticCrowd
from paseo.data.suites.crowd_recipe import shipped_recipe
from paseo.data.suites.rules import everyone
from paseo.data.suites.suite_file import EpisodeEntry, PlacedRecording, SuiteFile
from paseo.data.suites.suite_writing import suite_bytes
from paseo.errors import BadValue
from paseo.files import write_whole
from paseo.metrics.crowding import crowd_statistics
from paseo.suite.sampling.sampling import PlacedCrowd, SamplingOptions, sampled_suite
from paseo.world.scenarios import Scenario
from paseo.world.tracks import Recording, Track

SHIPPED = Path(paseo.__file__).parent / "data" / "shipped"
MINUTE = 60.0
CANDIDATES = 16  # tasks looked at in each minute
SEED = 33
# As many episodes of each place as in socnavbench-33, and what they are to show, dearest first.
PLACES = {
    "ETH": ["against_flow", "along_flow", "dense_against", "crossing", "through_group", "mixed"],
    "HotelSmall": ["against_flow", "along_flow", "crossing", "through_group", "dense"],
    "DoubleHotel": ["around_corner", "against_flow", "crossing"],
    "Univ": [
        "around_corner", "through_group", "crossing", "against_flow", "along_flow", "dense",
        "past_queue", "mixed",
    ],
    "Zara": [
        "past_queue", "around_corner", "through_group", "against_flow", "along_flow", "crossing",
        "dense", "against_flow", "along_flow", "crossing", "mixed",
    ],
}  # fmt: skip
Seen = dict[str, bool]  # by what an episode may show


def main() -> None:
    """Write everything."""
    crowds, episodes = [], []
    for place, wanted in PLACES.items():
        crowd, about = crowd_of(place, len(wanted) * MINUTE)
        crowds.append(about)
        episodes += episodes_of(crowd, about, wanted)
        print(f"{about.name}: {len(crowd.tracks)} people, {about.file.stat().st_size} bytes")
    index = Index(format="paseo-synthetic-crowds", version=1, crowds=crowds)
    text = msgspec.json.format(msgspec.json.encode(index), indent=1)
    write_whole(SHIPPED / "crowds" / "index.json", text + b"\n")
    suite = SuiteFile(
        format="paseo-suite",
        version=1,
        name="paseo-33",
        description="33 episodes with synthetic crowds on the shipped maps; needs no recordings",
        episodes=episodes,
        planners=["straight", "stop"],
    )
    write_whole(SHIPPED / "suites" / "paseo-33.toml", suite_bytes(suite, ".toml"))


def crowd_of(place: str, duration: float) -> tuple[Recording, SyntheticCrowd]:
    """A crowd made by the recipe of a place, written where it ships."""
    plan = shipped_floorplan(place)
    recipe = shipped_recipe(place).recipe(plan)
    made = generate_crowd(plan, recipe, duration=duration, seed=SEED)
    about = SyntheticCrowd(
        name=f"synthetic-{place.lower()}",
        map=place,
        recipe=place,
        seed=SEED,
        duration_s=duration,
        groups=made.groups,
    )
    about.file.parent.mkdir(exist_ok=True)
    write_whole(about.file, gzip.compress(csv_bytes(made), mtime=0))
    return replace(made, name=about.name), about


def episodes_of(crowd: Recording, about: SyntheticCrowd, wanted: list[str]) -> list[EpisodeEntry]:
    """An episode for each wish, each in a minute of its own that can fulfil it."""
    minutes = [candidates(crowd, about, k) for k in range(len(wanted))]
    chosen: dict[int, EpisodeEntry] = {}
    counts: dict[str, int] = {}
    for wish in wanted:
        found = next(
            (
                (k, entry)
                for k, tasks in enumerate(minutes)
                if k not in chosen
                for entry, seen in tasks
                if seen[wish]
            ),
            None,
        )
        if found is None:  # no minute shows it: take what there is and call it what it is
            k = next(k for k in range(len(wanted)) if k not in chosen)
            entry, seen = minutes[k][0]
            wish = next(each for each, is_seen in seen.items() if is_seen)
            print(f"{about.name}: no minute left for a wish; minute {k} is '{wish}'")
        else:
            k, entry = found
        counts[wish] = counts.get(wish, 0) + 1
        number = f"_{counts[wish]}" if wanted.count(wish) > 1 or counts[wish] > 1 else ""
        name = f"{about.map.lower()}_{wish}{number}"
        chosen[k] = structs.replace(entry, name=name, note=note_of(entry, crowd))
    return [chosen[k] for k in sorted(chosen)]


def note_of(entry: EpisodeEntry, crowd: Recording) -> str:
    """The note of a sampled task, and when its minute is empty at the beginning or the end.

    Tasks are sampled in a minute cut out of the crowd, which does not end where that minute does.
    """
    tracks = everyone(crowd, entry.recordings[0], entry.time_limit_s)
    comes = min(track.times[0] for track in tracks)
    goes = max(track.times[-1] for track in tracks)
    sentences = ["Synthetic crowd.", entry.note.partition(" The recording ends")[0]]
    if comes > 0.0:
        sentences.append(f"Nobody is there before {comes:.1f} s.")
    if goes < entry.time_limit_s:
        sentences.append(f"Nobody is there after {goes:.1f} s.")
    return " ".join(sentences)


def candidates(
    crowd: Recording, about: SyntheticCrowd, minute: int
) -> list[tuple[EpisodeEntry, Seen]]:
    """Tasks in one minute of the crowd, and what each shows."""
    cut = _within(crowd, minute * MINUTE)
    placed = PlacedCrowd(
        name=about.name,
        recording=cut,
        map=about.map,
        floorplan=shipped_floorplan(about.map),
        transform=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
    )
    entries = []
    for k in range(CANDIDATES):
        try:
            suite = sampled_suite(placed, SamplingOptions(count=1), 1000 * minute + k)
        except BadValue:
            continue
        entry = suite.episodes[0]
        first = PlacedRecording(recording=about.name, first_frame=round(minute * MINUTE * FPS))
        entries.append(structs.replace(entry, recordings=[first]))
    return [(entry, seen_in(entry, crowd, about)) for entry in entries]


def seen_in(entry: EpisodeEntry, crowd: Recording, about: SyntheticCrowd) -> Seen:
    """What happens in an episode, in the words that name it."""
    plan = shipped_floorplan(about.map)
    tracks = everyone(crowd, entry.recordings[0], entry.time_limit_s)
    world = Scenario(name="x", floorplan=plan, start=entry.start.pose(), goal=entry.goal.pose(),
                     tracks=tuple(tracks), groups=crowd.groups)  # fmt: skip
    facts = crowd_statistics(world)
    flow = facts.flow.main if facts.flow else "empty"
    way = shapely.LineString([(world.start.x, world.start.y), (world.goal.x, world.goal.y)])
    recipe = shipped_recipe(about.map).recipe(plan)
    queues = [stay for stay in recipe.stays if stay.habit.value == "queue"]
    usual = len(crowd.tracks) / (about.duration_s / MINUTE)
    return {
        "around_corner": not plan.sees(world.start, world.goal),
        "past_queue": any(way.distance(shapely.Point(s.x, s.y)) < 2.5 for s in queues),
        "through_group": _group_on(way, world),
        "dense_against": flow == "against" and facts.people > usual,
        "dense": facts.people > 1.1 * usual,
        "against_flow": flow == "against",
        "along_flow": flow == "along",
        "crossing": flow == "across",
        "mixed": True,
    }


def _group_on(way: shapely.LineString, world: Scenario) -> bool:
    """Whether people who stand together do so on the robot's straight way."""
    by_id = {track.id: track for track in world.tracks}
    for group in world.groups:
        members = [by_id[person] for person in group if person in by_id]
        if len(members) > 1 and all(_stands(member) for member in members):
            middle = np.mean([np.nanmean(m.positions, axis=0) for m in members], axis=0)
            if way.distance(shapely.Point(middle)) < 0.8:
                return True
    return False


def _stands(track: Track) -> bool:
    """Whether the person stands for at least 8 s."""
    slow = np.hypot(*track.velocities().T) < 0.2
    return float((slow * np.diff(track.times)).sum()) >= 8.0


def _within(crowd: Recording, start: float) -> Recording:
    tracks = []
    for track in crowd.tracks:
        inside = (track.times >= start) & (track.times <= start + MINUTE)
        if inside.sum() > 1:
            known = ~np.isnan(track.positions[inside][:, 0])
            tracks.append(
                Track(track.id, track.times[inside][known], track.positions[inside][known])
            )
    return replace(crowd, tracks=tuple(tracks))


if __name__ == "__main__":
    main()
