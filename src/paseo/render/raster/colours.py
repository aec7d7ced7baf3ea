"""Whose colour is whose: a planner keeps its own in every picture, whoever stands beside it."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from paseo.world.cameras import Sight

# By number in a theme; nobody else takes one of these before all others are taken.
OWN = {
    "straight": 0,
    "orca": 1,
    "social-force": 2,
    "mppi": 3,
    "dwa": 4,
    "sampling": 5,
    "sacadrl": 6,
    "stop": 7,
    "time-gap": 8,
    "orca-checkpoints": 9,
    "human": 10,
    "vlm": 11,
}
OURS = ("paseo.planners.", "paseo.deciding.")  # and then module:Class


@dataclass(frozen=True, slots=True)
class Wearer:
    """Who needs a colour: a planner, and what tells it from others of the same name."""

    planner: str
    variant: str = ""  # empty: nothing was said about it

    @property
    def name(self) -> str:
        """The planner's name, also where a class of Paseo's own was used from Python."""
        if not self.planner.startswith(OURS):
            return self.planner
        return re.sub("(?<=[a-z])(?=[A-Z])", "-", self.planner.rpartition(":")[2]).lower()


def variant_words(
    parameters: Mapping[str, object],
    reactivity: float | None,
    latency_s: float | None = None,
    sight: Sight | None = None,
) -> str:
    """How a planner was run that goes by a name: in the same words everywhere."""
    sensing = None if sight is None else sight.label
    said = {**parameters, "reactivity": reactivity, "latency_s": latency_s or None}
    said["sensing"] = sensing
    return " ".join(f"{key}={value}" for key, value in sorted(said.items()) if value is not None)


def colour_numbers(wearers: Sequence[Wearer], count: int) -> list[int]:
    """The number of everybody's colour, each once; from `count` on colours repeat, and are dashed.

    Of a planner's variants one has the planner's colour: that of which nothing is said, else the
    first by name. Who has no colour of its own gets one by its name among those left.
    """
    named = [Wearer(each.name, each.variant) for each in wearers]
    apart = [
        replace(each, variant=f"{each.variant} {earlier}" if earlier else each.variant)
        for each, earlier in zip(named, _earlier(named), strict=True)
    ]
    ordered = sorted(apart, key=lambda each: (each.planner, each.variant))
    heads = {each.planner: each for each in reversed(ordered)}
    worn = {each: OWN[name] for name, each in heads.items() if name in OWN}
    for name, each in sorted(heads.items()):
        if each not in worn:
            worn[each] = _free(name, set(worn.values()), count)
    for each in ordered:
        if each not in worn:
            worn[each] = _free(f"{each.planner} {each.variant}", set(worn.values()), count)
    return [worn[each] for each in apart]


def _earlier(wearers: Sequence[Wearer]) -> list[int]:
    """How many equal ones stand before each."""
    return [list(wearers[:place]).count(each) for place, each in enumerate(wearers)]


def _free(name: str, taken: set[int], count: int) -> int:
    """A colour that nobody has: from the place that the name says on, those of planners last."""
    first = len(OWN)
    start = int.from_bytes(hashlib.sha256(name.encode("utf-8", "replace")).digest()[:8])
    round_about = [first + (start + k) % (count - first) for k in range(count - first)]
    beyond = range(count, count + len(taken) + 1)
    return next(number for number in (*round_about, *range(first), *beyond) if number not in taken)
