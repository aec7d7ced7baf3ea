"""Sampled episodes as a suite tells them: entries, notes, how they were made, why not."""

import math
from collections import Counter
from collections.abc import Sequence

from paseo.data.suites.suite_file import EpisodeEntry, PoseEntry
from paseo.errors import BadValue
from paseo.suite.sampling.judging import OtherDensity, SampledEpisode, TooFewMet, Unfit
from paseo.suite.sampling.wishes import PlacedCrowd, SamplingOptions
from paseo.version import paseo_version


def entry_of(
    episode: SampledEpisode, *, name: str, map: str, ends_after: float | None = None
) -> EpisodeEntry:
    """The episode as a suite writes it; `ends_after` where its recording runs out."""
    start, goal = episode.start, episode.task.goal
    return EpisodeEntry(
        name=name,
        map=map,
        start=PoseEntry(x_m=start.x, y_m=start.y, heading_rad=start.heading),
        goal=PoseEntry(x_m=goal.x, y_m=goal.y),
        time_limit_s=episode.time_limit,
        recordings=[episode.placed],
        note=note_of(episode, ends_after),
    )


def note_of(episode: SampledEpisode, ends_after: float | None) -> str:
    """Where the episode goes, who is there, and whom a robot would meet."""
    task, crowd, met = episode.task, episode.crowd, episode.meetings
    ends = [
        name or f"({pose.x:.1f}, {pose.y:.1f})"
        for name, pose in ((task.start_name, task.start), (task.goal_name, task.goal))
    ]
    count = f"{met.least}" if met.least == met.most else f"{met.least} to {met.most}"
    near = f"Within 3 m of the robot are {met.density_per_m2:.3f} people per free square metre; "
    if met.flow is None:
        near += "nobody walks there."
    else:
        near += (
            f"{met.flow.along:.0%} of those who walk go along, {met.flow.across:.0%} across and "
            f"{met.flow.against:.0%} against."
        )
    sentences = [
        f"From {ends[0]} to {ends[1]}, {crowd.start_goal_distance_m:.1f} m.",
        f"{crowd.people} people, {crowd.mean_at_once:.1f} at once on average.",
        f"Encounters on reference drives: {count}.",
        near,
    ]
    if ends_after is not None:
        sentences.append(f"The recording ends after {ends_after:.1f} s.")
    return " ".join(sentences)


def description_of(crowd: PlacedCrowd, wishes: SamplingOptions, seed: int) -> str:
    """How the suite was made, so that it can be made again."""
    inferred = ", which is inferred, not measured" if crowd.floorplan.inferred else ""
    asked = f"at least {wishes.encounters} encounters on every reference drive, "
    return (
        f"Sampled by Paseo {paseo_version()} from the recording {crowd.name} on the map "
        f"{crowd.map}{inferred}: seed {seed}, "
        f"count {wishes.count}, at least {wishes.least_distance:g} m from start to goal, "
        f"{wishes.time_limit:g} s, {asked if wishes.encounters else ''}"
        f"density near the robot {_wished_density(wishes)}, "
        f"flow {', '.join(wishes.flows) or 'as it comes'}, robot {wishes.robot.name} of radius "
        f"{wishes.robot.radius:g} m"
    )


def refusal(unfit: Sequence[Unfit], flow: str, wishes: SamplingOptions, *, found: int) -> BadValue:
    """Why there are fewer episodes than wished: how many were found, and what to lower."""
    reasons = Counter(map(str, unfit)).most_common()
    had = ", ".join(f"{count} {reason}" for reason, count in reasons)
    offer = ""
    if densities := [each.density for each in unfit if isinstance(each, OtherDensity)]:
        offer += f"; density near the robot was {min(densities):.3g} to {max(densities):.3g} "
        offer += f"people/m2, not {_wished_density(wishes)}"
    if met := [each.least for each in unfit if isinstance(each, TooFewMet)]:
        offer += f"; the best met {max(met)} on every reference drive, not {wishes.encounters}"
    other = f"no other with flow {flow}" if flow else "no other"
    lower = "lower encounters" if met else "wish for less"
    return BadValue(
        f"found {found} of {wishes.count} episodes, then {other} in {len(unfit)} draws: "
        f"{had}{offer}; {lower} or use another seed",
        parameters=("encounters",),
    )


def _wished_density(wishes: SamplingOptions) -> str:
    low, high = wishes.density
    if math.isinf(high):
        return f"of {low:g} people/m2 or more" if low else "as it comes"
    return f"between {low:g} and {high:g} people/m2"
