"""The messages of the protocol, as they are written: units in the names, and no infinity.

What a client says must be spelled exactly; of what the server says, a client ignores what it does
not know, so that the protocol can grow.
"""

from enum import IntEnum, StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from paseo.world.clocks import ClockName
from paseo.world.motion import Control
from paseo.world.records import Outcome, Verdict
from paseo.world.space.floorplan import InferredFrom, PlaceKind

VERSION = 1
LONGEST_SAID = 1 << 16  # bytes of a message to the server
LONGEST_TOLD = 1 << 24  # bytes of a message to a client
MOST_STATES = 100  # in one answer about earlier states
MOST_MAPS = 500
MOST_PIXELS = 1_500_000  # of a camera; a picture that cannot be compressed fits into a message
LONGEST_WORDS = 400  # characters of a reason

Scalar = bool | int | float | str | None
Name = Annotated[str, Meta(min_length=1, max_length=100)]
Words = Annotated[str, Meta(max_length=LONGEST_WORDS)]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Step = Annotated[int, Meta(ge=0, le=2**53)]
Seconds = Annotated[float, Meta(ge=0, le=1e9)]
Pair = tuple[float, float]  # x and y
# A command as bare numbers: forward, turn of a twist or x, y, heading of a pose.
Upcoming = list[Annotated[list[float], Meta(min_length=2, max_length=3)]]


class CloseCode(IntEnum):
    """Why the server closes a connection; below 4000, what WebSocket itself defines."""

    DONE = 1000
    GOING = 1001
    FULL = 1013
    UNUSABLE = 4400  # too many messages that cannot be used
    TOKEN = 4401
    SILENT = 4408
    CONFLICT = 4409
    VERSION = 4426


class ErrorCode(StrEnum):
    """What is wrong, for a program; the sentence beside it is for a person."""

    UNREADABLE = "unreadable"  # no message, or not of the right shape
    UNEXPECTED = "unexpected"  # a message for another moment
    UNKNOWN_VERSION = "unknown version"
    WRONG_TOKEN = "wrong token"
    UNKNOWN_EPISODE = "unknown episode"
    TAKEN = "taken"  # the episode is done, or somebody else drives it
    CONFLICT = "conflict"  # with what others of this name have said
    TOO_SLOW = "too slow"
    FULL = "full"  # as many clients as can be served are here


class _Said(
    Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True,
    omit_defaults=True,
):  # fmt: skip
    pass


class PlannerSaid(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a record is to say of a planner of Paseo that drives from outside."""

    reference: Annotated[str, Meta(min_length=1, max_length=1000)]
    parameters: dict[str, Scalar] = {}
    sha256: Hash | None = None  # of the planner's file


class Hello(_Said, frozen=True, tag="hello"):
    """The first message of a client."""

    version: int
    client: Name  # whose results these are
    token: Annotated[str, Meta(max_length=1000)] | None = None
    control: Control | None = None  # how it would drive the robot
    maps: Annotated[list[Hash], Meta(max_length=MOST_MAPS)] = []  # that it has
    planner: PlannerSaid | None = None


class Next(_Said, frozen=True, tag="next"):
    """Give me an episode: any that is left, or this one."""

    episode: Annotated[str, Meta(max_length=1000)] | None = None


class Ready(_Said, frozen=True, tag="ready"):
    """The planner is prepared; time may begin."""


class TwistSaid(_Said, frozen=True, tag="twist"):
    """Drive like this for one step."""

    forward_mps: float
    turn_radps: float
    step: Step | None = None  # of the observation it answers, to be checked
    thinking_s: Seconds | None = None  # how long the planner took
    upcoming: Upcoming | None = None  # what it plans to do in the steps after that


class PoseSaid(_Said, frozen=True, tag="pose"):
    """Go there, as far as one step allows."""

    x_m: float
    y_m: float
    heading_rad: float = 0.0
    step: Step | None = None
    thinking_s: Seconds | None = None
    upcoming: Upcoming | None = None


class HistoryWish(_Said, frozen=True, tag="history"):
    """Show me again what I was shown in these steps, both included."""

    first_step: Step
    last_step: Step


class Abandon(_Said, frozen=True, tag="abandon"):
    """I give this episode up."""

    reason: Words = ""


Said = Hello | Next | Ready | TwistSaid | PoseSaid | HistoryWish | Abandon


class _Told(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    pass


class Welcome(_Told, frozen=True, tag="welcome"):
    """The answer to `hello`."""

    version: int
    server: str
    row: str  # whose results these are, in tables
    control: Control
    episodes: list[str]
    left: int  # of this row, to be driven
    clock: ClockName  # how time passes while the client thinks
    wants_upcoming: bool  # whether it matters what commands say of the steps after
    answer_within_s: float  # whoever is silent for longer has failed
    longest_message_bytes: int


class PlaceTold(Struct, frozen=True, kw_only=True):
    """A named spot on a map."""

    name: str
    kind: PlaceKind
    x_m: float
    y_m: float


class MapTold(_Told, frozen=True, tag="map"):
    """A floor plan, told once to a client that does not have it."""

    map: Hash
    name: str
    cell_m: float
    origin_m: Pair  # lower left corner of the cell in row 0 and column 0
    rows: int
    columns: int
    walls: bytes  # zlib of float64, little-endian: x1, y1, x2, y2 of each segment
    free: bytes  # zlib of bits, row by row, the first in the highest bit of the first byte
    places: list[PlaceTold] = []
    source: str = ""
    inferred: InferredFrom | None = None


class PoseTold(Struct, frozen=True, gc=False):
    """Where something is and where it faces."""

    x_m: float
    y_m: float
    heading_rad: float


class RobotTold(Struct, frozen=True, kw_only=True):
    """The robot and its limits; null is no limit."""

    name: str
    radius_m: float
    max_speed_mps: float
    max_reverse_speed_mps: float | None
    max_turn_radps: float | None
    max_acceleration_mps2: float | None
    max_turn_acceleration_radps2: float | None
    sensor_height_m: float
    wall_radius_m: float | None


class CameraTold(Struct, frozen=True, kw_only=True):
    """The robot's camera: OpenCV's model, the middle of the first pixel being at (0.5, 0.5)."""

    width_px: int
    height_px: int
    fx_px: float
    fy_px: float
    cx_px: float
    cy_px: float
    distortion: list[float]
    near_m: float
    far_m: float
    height_m: float
    pitch_down_rad: float
    yaw_left_rad: float
    forward_m: float


class EpisodeTold(_Told, frozen=True, tag="episode"):
    """All a planner knows before it starts."""

    name: str
    map: Hash
    start: PoseTold
    goal: PoseTold
    goal_radius_m: float
    time_limit_s: float
    dt_s: float
    robot: RobotTold
    control: Control
    seed: int  # of the planner, below 2**63
    camera: CameraTold | None = None  # where nobody tells it of people


class RobotNow(Struct, frozen=True, gc=False):
    """The robot at one moment."""

    x_m: float
    y_m: float
    heading_rad: float
    forward_mps: float
    turn_radps: float


class PeopleNow(Struct, frozen=True):
    """Everybody whom the robot senses, in order of id; all lists have the same length."""

    ids: list[int]
    positions_m: list[Pair]
    velocities_mps: list[Pair]
    radii_m: list[float]


class ScanNow(Struct, frozen=True, kw_only=True):
    """A laser scan, anticlockwise from the heading of the robot."""

    first_rad: float
    step_rad: float
    ranges_m: list[float | None]  # null: nothing in reach


class ImageNow(Struct, frozen=True, kw_only=True):
    """What the robot's camera showed; told once, as soon as it is there."""

    time_s: float  # when it was taken
    robot: PoseTold  # where the robot was then
    width_px: int
    height_px: int
    rgb: bytes  # zlib of three bytes for each pixel, row by row from the top
    depth: bytes  # zlib of float32, little-endian, metres, likewise; NaN: none is told


class ObservationTold(_Told, frozen=True, tag="observation"):
    """What the robot senses; a command is awaited."""

    step: int
    time_s: float
    robot: RobotNow
    people: PeopleNow
    scans: list[ScanNow] = []  # where the robot has such a sensor
    image: ImageNow | None = None  # where it has a camera, and a new picture


class HistoryTold(_Told, frozen=True, tag="history"):
    """Earlier observations, as many of those asked for as fit."""

    observations: list[ObservationTold]


class Score(Struct, frozen=True, kw_only=True):
    """How well an episode went."""

    success: bool
    person_contacts: int
    caused_contacts: int  # by the robot
    shared_contacts: int
    walked_into_contacts: int  # by a person, the robot standing or giving way
    time_to_goal_s: float | None  # the time limit where it was not reached


class EndedTold(_Told, frozen=True, tag="ended"):
    """The episode is over and its record stored."""

    episode: str
    outcome: Outcome
    verdict: Verdict
    reason: str
    step: int
    time_s: float
    robot: RobotNow
    score: Score


class Done(_Told, frozen=True, tag="done"):
    """There is nothing left to drive."""


class ErrorTold(_Told, frozen=True, tag="error"):
    """Something that was said cannot be used."""

    code: ErrorCode
    sentence: str


Told = (
    Welcome | MapTold | EpisodeTold | ObservationTold | HistoryTold | EndedTold | Done | ErrorTold
)
