"""Which topics of a bag to use, and why: by names that are known, else by type and number."""

from collections.abc import Mapping
from dataclasses import dataclass

from paseo.errors import BadValue, UnknownName
from paseo.pipeline.drives.bags.bag import Topic
from paseo.pipeline.drives.bags.messages import (
    CAMERA,
    LOCATION,
    ODOMETRY,
    OLD_TRANSFORMS,
    PICTURE,
    RAW,
    SCAN,
    TRANSFORMS,
    is_known,
)

ROLES: Mapping[str, tuple[str, ...]] = {  # the types that fill each, better ones first
    "image": (PICTURE, RAW),
    "odometry": (ODOMETRY, LOCATION),
    "camera_info": (CAMERA,),
    "scan": (SCAN,),
}
# The topics that the preparations of GNM, ViNT and SocialNav-SUB read of SCAND's bags.
KNOWN = {
    "/image_raw/compressed": "known as the camera of SCAND's Spot",
    "/camera/rgb/image_raw/compressed": "known as the camera of SCAND's Jackal",
    "/odom": "known as the odometry of SCAND's Spot",
    "/jackal_velocity_controller/odom": "known as the odometry of SCAND's Jackal",
    "/localization": "known as the localization of SCAND's robots",
    "/left/image_color/compressed": "known from SCAND's bags",
    "/spot/camera/frontleft/image/compressed": "known as a camera of SCAND's Spot",
    "/spot/camera/frontright/image/compressed": "known as a camera of SCAND's Spot",
}
NO_COLOURS = ("depth", "disparity", "infra", "mask", "confidence", "thermal")
MOVING, FIXED = "/tf", "/tf_static"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A topic for a role, and why it."""

    role: str  # a key of ROLES, or "transforms"
    topic: Topic
    reason: str


def proposals(counts: Mapping[Topic, int], asked: Mapping[str, str]) -> dict[str, Proposal]:
    """A topic for every role that one can be found for; `asked` are those a user chose, by role."""
    strange = next((role for role in asked if role not in ROLES), None)
    if strange is not None:
        raise UnknownName("role of a topic", strange, ROLES)
    found: dict[str, Proposal] = {}
    for role in ROLES:
        chosen = _asked(role, asked[role], counts) if role in asked else None
        best = chosen or _best(role, counts, found.get("image"))
        if best:
            found[role] = best
    return found


def transform_topics(counts: Mapping[Topic, int]) -> dict[str, Topic]:
    """The topics of transforms, by their names."""
    kinds = (TRANSFORMS, OLD_TRANSFORMS)
    return {
        topic.name: topic
        for topic, count in counts.items()
        if count and topic.type in kinds and is_known(topic)
    }


def _asked(role: str, name: str, counts: Mapping[Topic, int]) -> Proposal:
    topic = next((each for each in counts if each.name == name), None)
    if topic is None:
        raise UnknownName("topic", name, [each.name for each in counts])
    if topic.type not in ROLES[role] or not is_known(topic):
        raise BadValue(
            f"topic '{name}' holds {topic.type}, expected {' or '.join(ROLES[role])} for {role}; "
            "choose another one",
            parameters=("topics",),
        )
    if not counts[topic]:
        raise BadValue(f"topic '{name}' holds no messages; choose another", parameters=("topics",))
    return Proposal(role, topic, "as chosen")


def _best(role: str, counts: Mapping[Topic, int], image: Proposal | None) -> Proposal | None:
    fitting = [each for each, count in counts.items() if count and _fits(role, each)]
    if not fitting:
        return None

    def rank(topic: Topic) -> tuple[object, ...]:
        beside = _shared(topic.name, image.topic.name) if image and role == "camera_info" else 0
        names = list(KNOWN)
        known = names.index(topic.name) if topic.name in KNOWN else len(names)
        return -beside, known, ROLES[role].index(topic.type), -counts[topic], topic.name

    best = min(fitting, key=rank)
    if best.name in KNOWN:
        reason = KNOWN[best.name]
    elif len(fitting) == 1:
        reason = "the only one of its type"
    elif role == "camera_info":
        reason = "its name is nearest to that of the pictures"
    else:
        reason = f"most messages of {len(fitting)} that would do"
    return Proposal(role, best, reason)


def _fits(role: str, topic: Topic) -> bool:
    is_colour = role != "image" or not any(word in topic.name.lower() for word in NO_COLOURS)
    return topic.type in ROLES[role] and is_colour and is_known(topic)


def _shared(one: str, other: str) -> int:
    """How many parts of two names are the same from the front."""
    count = 0
    for left, right in zip(one.split("/"), other.split("/"), strict=False):
        if left != right:
            break
        count += 1
    return count
