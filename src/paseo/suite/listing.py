"""What there is to run and to run it with, as values."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from paseo.data.maps.floorplans import shipped_floorplan, shipped_maps
from paseo.data.store.locations import DataFolder, data_folder
from paseo.data.suites.episodes import Choices, recording_ends, scenario
from paseo.data.suites.rules import named_rule
from paseo.data.suites.suite_file import EpisodeEntry, shipped_suites
from paseo.errors import InputError, MissingData
from paseo.metrics.crowding import crowd_statistics
from paseo.metrics.encounters import meetings
from paseo.metrics.record.catalog import METRICS, PUBLISHED
from paseo.metrics.record.measure import PLANNING_TIMES, PUBLISHED_PLANNING_TIME
from paseo.metrics.record.metric import Metric
from paseo.metrics.record.names import installed_metrics
from paseo.planners.names import PLANNERS
from paseo.vlm.catalog import known_models
from paseo.world.motion import Control
from paseo.world.planning import declared_control
from paseo.world.scenarios import Rule
from paseo.world.space.floorplan import FloorPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPlanner:
    """A planner known by name; one that cannot be used has no control, and says why."""

    name: str
    control: Control | None
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedModel:
    """A vision-language model, and what is still needed to ask it."""

    name: str
    extra: str | None
    installed: bool
    keys: list[str]
    key_set: bool | None  # None: it needs none
    needs: str
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CrowdNumbers:
    """Who is in an episode; None where its recording is not on this machine."""

    people: int | None = None
    most_at_once: int | None = None
    mean_at_once: float | None = None
    density_per_m2: float | None = None
    mean_speed_mps: float | None = None
    flow_against: float | None = None
    encounters: int | None = None  # people met on every reference drive, at least
    most_encounters: int | None = None  # on any of them
    density_met_per_m2: float | None = None  # within 3 m of the robot, as the next three
    near_robot_along: float | None = None
    near_robot_across: float | None = None
    near_robot_against: float | None = None
    recording_ends_after_s: float | None = None  # also None where it does not


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedEpisode:
    """A shipped episode."""

    name: str
    suite: str  # with its edition
    map: str
    crowd: CrowdNumbers
    start_goal_distance_m: float
    time_limit_s: float
    duplicate_of: str | None  # the earlier one that differs in nothing but the name
    note: str


@dataclass(frozen=True, slots=True)
class EpisodeList:
    """All shipped episodes, and why some have no numbers."""

    episodes: tuple[ListedEpisode, ...]
    missing: MissingData | None = None  # why some have no numbers


@dataclass(frozen=True, slots=True)
class MapList:
    """All maps by name, and a sentence for each that cannot be read."""

    maps: Mapping[str, FloorPlan]
    unreadable: tuple[str, ...] = ()


def listed_planners() -> tuple[ListedPlanner, ...]:
    """Every planner known by name, also those of other packages."""
    return tuple(_planner(name) for name in PLANNERS.targets())


def _planner(name: str) -> ListedPlanner:
    try:
        cls = PLANNERS.find(name)
    except InputError as error:  # of another package; the others can still be used
        return ListedPlanner(name=name, control=None, summary=f"cannot be used: {error}")
    summary = (cls.__doc__ or "").strip().partition("\n")[0]
    return ListedPlanner(name=name, control=declared_control(cls), summary=summary)


def listed_metrics() -> tuple[Metric, ...]:
    """Every metric known by name, also those of other packages."""
    others = installed_metrics()
    return (*METRICS, *PLANNING_TIMES, *PUBLISHED, PUBLISHED_PLANNING_TIME, *others)


def listed_models(environment: Mapping[str, str] = os.environ) -> tuple[ListedModel, ...]:
    """Some models of every provider; keys are looked for in the environment, and not told."""
    return tuple(
        ListedModel(
            name=f"{known.provider.name}/{model}",
            extra=known.provider.extra or None,
            installed=known.installed,
            keys=list(known.provider.keys),
            key_set=known.key_set,
            needs=known.needs,
            summary=summary,
        )
        for known in known_models(environment)
        for model, summary in known.provider.models.items()
    )


def listed_maps(data: Path | None = None) -> MapList:
    """The maps that ship, and those of crowds in the data folder."""
    folder = data_folder(data)
    plans = {name: shipped_floorplan(name) for name in shipped_maps()}
    unreadable = []
    for name in folder.crowds():
        try:
            plan = folder.own_floorplan(name)
        except InputError as error:  # the others can still be used
            unreadable.append(str(error))
            continue
        if plan is not None:
            plans[name] = plan
    return MapList(plans, tuple(unreadable))


def listed_episodes(data: Path | None = None, *, rule: Rule | str = Rule.EVERYONE) -> EpisodeList:
    """Every shipped episode, with numbers on its people by this rule."""
    folder, missing = data_folder(data), None
    episodes = []
    for suite in shipped_suites().values():
        for entry in suite.episodes:
            try:
                crowd = _numbers(entry, folder, named_rule(rule))
            except MissingData as error:
                crowd, missing = CrowdNumbers(), error
            episodes.append(_episode(entry, crowd, suite.full_name, suite.episodes))
    return EpisodeList(tuple(episodes), missing)


def _episode(
    entry: EpisodeEntry, crowd: CrowdNumbers, suite: str, others: list[EpisodeEntry]
) -> ListedEpisode:
    return ListedEpisode(
        name=entry.name,
        suite=suite,
        map=entry.map,
        crowd=crowd,
        start_goal_distance_m=round(entry.start.pose().distance_to(entry.goal.pose()), 3),
        time_limit_s=entry.time_limit_s,
        duplicate_of=_twin(entry, others),
        note=entry.note,
    )


def _numbers(entry: EpisodeEntry, folder: DataFolder, rule: Rule) -> CrowdNumbers:
    world = scenario(entry, Choices(rule=rule), folder)
    found, met = crowd_statistics(world), meetings(world)
    flow = met.flow
    return CrowdNumbers(
        people=found.people,
        most_at_once=found.most_at_once,
        mean_at_once=_rounded(found.mean_at_once),
        density_per_m2=_rounded(found.density_per_m2),
        mean_speed_mps=_rounded(found.mean_speed_mps),
        flow_against=_rounded(found.flow_against),
        encounters=met.least,
        most_encounters=met.most,
        density_met_per_m2=_rounded(met.density_per_m2),
        near_robot_along=None if flow is None else _rounded(flow.along),
        near_robot_across=None if flow is None else _rounded(flow.across),
        near_robot_against=None if flow is None else _rounded(flow.against),
        recording_ends_after_s=recording_ends(entry, folder, rule),
    )


def _rounded(value: float | None) -> float | None:
    """To more places than any table or note, which round again."""
    return None if value is None else round(value, 6)


def _twin(entry: EpisodeEntry, entries: list[EpisodeEntry]) -> str | None:
    """The earlier episode that differs from this one in nothing but the name."""
    for other in entries:
        if other is entry:
            return None
        if (other.map, other.start, other.goal, other.recordings, other.people) == (
            entry.map, entry.start, entry.goal, entry.recordings, entry.people,
        ):  # fmt: skip
            return other.name
    return None
