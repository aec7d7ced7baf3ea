"""Time gap: wait and go, as people cross a street, in the manner of gap acceptance.

The measure is the gap of pedestrians before cars: M. A. Brewer, K. Fitzpatrick, J. A. Whitacre,
D. Lord, Exploration of pedestrian gap-acceptance behavior at selected locations, Transportation
Research Record 1982, 132-140 (2006). Here the robot waits for the gap, and people are the traffic.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from paseo.compiled import compiled
from paseo.errors import BadValue
from paseo.planners.unicycle import (
    KEEP,
    VX,
    VY,
    Limits,
    Rolling,
    Walls,
    X,
    Y,
    braked,
    is_safe,
    limits_of,
    near_people,
    reachable,
    rolling,
    room_needed,
    table_of,
    turned_by,
    walls_of,
)
from paseo.planners.way_ahead import (
    STRIDE,
    Way,
    path_ahead,
    straight_target,
    useful_speed,
    way_of,
)
from paseo.world.arrays import FloatArray
from paseo.world.motion import Control, Twist
from paseo.world.planning import Briefing, Observation

AHEAD = 1.0  # metres along the way to the point that the robot steers for
RESPONSE = 0.3  # seconds in which it turns to that point
# Shares of the wanted speed, and of the top turn on top of the wanted turn, until walls allow it.
TRIES = ((1.0, 0.0), (0.5, 0.0), (0.5, 0.5), (0.5, -0.5),
         (0.1, 0.0), (0.1, 0.9), (0.1, -0.9), (0.0, 0.0))  # fmt: skip


class Manner(NamedTuple):
    """The parameters of `TimeGap` as the kernel wants them."""

    gap: float
    behind: float
    room: float
    look_ahead: float


@compiled
def next_twist(
    now: Rolling, people: FloatArray, limits: Limits, manner: Manner, walls: Walls, way: Way
) -> tuple[float, float]:
    """Forward speed and turn rate towards the way, slow enough to stop where one must wait."""
    near = people[: near_people(now, people, manner.look_ahead, manner.room, limits)]
    room = room_needed(now, limits, walls)
    path = path_ahead(now.x, now.y, max(limits.top_speed * manner.look_ahead, AHEAD), way)
    target = straight_target(now, path, AHEAD, limits, walls)
    error = turned_by(math.atan2(target[1] - now.y, target[0] - now.x) - now.heading)
    free = free_way(now, path, near, abs(error) / limits.top_turn, limits, manner)
    speed = min(
        stopping_speed(free, limits),
        limits.top_speed * max(0.0, math.cos(error)) ** 2,
        useful_speed(now, (way.goal_x, way.goal_y), limits),
    )
    turn = error / max(RESPONSE, limits.dt)
    for share, aside in TRIES:
        wanted = min(max(turn + aside * limits.top_turn, -limits.top_turn), limits.top_turn)
        tried = reachable(now, speed * share, wanted, limits)
        if is_safe(tried, near, room, limits, walls):
            return tried.forward, tried.turn
    return braked(now, target, limits)


@compiled
def stopping_speed(free: float, limits: Limits) -> float:
    """The speed from which the robot can stop within so many metres, one step of delay included."""
    lag = limits.acceleration * limits.dt
    return math.sqrt(lag * lag + 2.0 * limits.acceleration * max(free, 0.0)) - lag


@compiled
def free_way(
    now: Rolling, path: FloatArray, people: FloatArray, delay: float, limits: Limits, manner: Manner
) -> float:
    """Metres along the path up to the first point that the robot must not enter now."""
    along_x, along_y = path[0, 0] - now.x, path[0, 1] - now.y
    free = math.inf
    for k in range(people.shape[0]):
        # Who comes from behind has to look out for the robot.
        if (people[k, X] - now.x) * along_x + (people[k, Y] - now.y) * along_y < 0.0:
            continue
        # In somebody's way already it does not help to wait: leave it, but not towards them.
        inside = times_at(now.x, now.y, people[k])[0] < math.inf
        for p in range(path.shape[0]):
            metres = STRIDE * (p + 1)
            if metres > free:
                break
            first, last = times_at(path[p, 0], path[p, 1], people[k])
            mine = delay + travel_time(metres, now.forward, limits)
            if mine < first - manner.gap or last + manner.behind < mine:
                inside = False
            elif not (inside and mine < first):
                free = metres - 2.0 * STRIDE
                break
    return free


@compiled
def travel_time(metres: float, speed: float, limits: Limits) -> float:
    """Seconds for so many metres if the robot speeds up as it can."""
    slow, fast = max(speed, 0.0), limits.top_speed
    rising = 0.5 * (fast * fast - slow * slow) / limits.acceleration  # metres until full speed
    if metres < rising:
        return (
            math.sqrt(slow * slow + 2.0 * limits.acceleration * metres) - slow
        ) / limits.acceleration
    return (fast - slow) / limits.acceleration + (metres - rising) / fast


@compiled
def times_at(x: float, y: float, person: FloatArray) -> tuple[float, float]:
    """From when to when a person who walks on as now is too near a point; infinite for never."""
    dx, dy = person[X] - x, person[Y] - y
    speed2 = person[VX] * person[VX] + person[VY] * person[VY]
    near = dx * dx + dy * dy - person[KEEP] * person[KEEP]
    if speed2 < 1e-6:
        return (0.0, math.inf) if near < 0.0 else (math.inf, math.inf)
    middle = -(dx * person[VX] + dy * person[VY]) / speed2
    half2 = middle * middle - near / speed2
    if half2 <= 0.0 or middle + math.sqrt(half2) < 0.0:
        return math.inf, math.inf
    return max(middle - math.sqrt(half2), 0.0), middle + math.sqrt(half2)


@dataclass(kw_only=True)
class TimeGap:
    """Follows the way to the goal at full speed, and waits before people who will cross it.

    It goes before somebody only if they arrive `gap` seconds after it, and after them `behind`
    seconds after they left. It never steps aside: it waits for ever before people who stand in
    its way, and those who do not look walk into it while it waits.
    """

    control: ClassVar[Control] = Control.VELOCITY
    kernels: ClassVar[tuple[Callable[..., Any], ...]] = (next_twist,)

    gap: float = 2.0  # s
    behind: float = 0.3  # s
    room: float = 0.1  # m between skins that makes a meeting
    look_ahead: float = 5.0  # s for which people are thought to walk on as now
    acceleration: float = 3.0  # m/s2, also to brake, unless the robot's own limit is lower
    turn_acceleration: float = 6.0  # rad/s2, unless the robot's own limit is lower

    def __post_init__(self) -> None:
        for name in ("look_ahead", "acceleration", "turn_acceleration"):
            if not 0 < getattr(self, name) < math.inf:
                raise BadValue(f"time-gap: {name} is {getattr(self, name)}, expected more than 0")
        for name in ("gap", "behind", "room"):
            if not 0 <= getattr(self, name) < math.inf:
                raise BadValue(f"time-gap: {name} is {getattr(self, name)}, expected 0 or more")

    def begin(self, briefing: Briefing) -> None:
        """Find the ways to the goal."""
        self._limits = limits_of(briefing, self.acceleration, self.turn_acceleration)
        self._manner = Manner(*map(float, (self.gap, self.behind, self.room, self.look_ahead)))
        self._walls, self._way = walls_of(briefing.floorplan), way_of(briefing)

    def plan(self, observation: Observation) -> Twist:
        """On along the way, as fast as the gaps allow."""
        now, people = rolling(observation), table_of(observation.crowd, self._limits.radius)
        return Twist(*next_twist(now, people, self._limits, self._manner, self._walls, self._way))
