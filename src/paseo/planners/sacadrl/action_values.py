"""What each action of SA-CADRL is worth: a look one step ahead, as in the authors' released code.

Y. F. Chen, M. Everett, M. Liu, J. P. How: Socially Aware Motion Planning with Deep Reinforcement
Learning, IROS 2017, with the constants and the order of actions of gym-collision-avoidance 0.0.3.
"""

import math
from dataclasses import dataclass

import numpy as np

from paseo.planners.sacadrl.value_network import OTHERS, ValueNetwork, Weights, shipped_network
from paseo.world.arrays import BoolArray, FloatArray, IntArray

DISCOUNT, UNIT = 0.97, 0.5  # values fade by 3 % with each half metre that might be gone
AHEAD = 1.0  # s
COLLISION = -0.25
CLOSE = 0.2  # m between bodies
ARRIVED = 0.05  # m
TURNING_RADIUS = 0.5  # m
MANNERS = 0.5  # weight of passing on the wrong side
FARTHEST_GOAL, FARTHEST_PERSON, GAPS = 30.0, 8.0, (-3.0, 10.0)  # m; what the network is shown
TINY = 1e-5

FIFTHS = np.array([1.0, 0.8, 0.6, 0.4, 0.2])
QUARTERS = np.array([1.0, 0.75, 0.5, 0.25])
GENTLE = math.pi / 6  # the sharpest turn in one action
GENTLE_TURNS = np.linspace(-GENTLE, GENTLE, 6)
TURNS_ON_THE_SPOT = GENTLE * np.array([1.0, 0.66, 0.33, -0.33, -0.66, -1.0])
FREE_TURNS = np.linspace(-math.pi / 3, math.pi / 3, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A robot, its goal and one to three people, as seen from where the robot is."""

    goal: FloatArray  # (2,)
    heading: float
    speed: float
    preferred_speed: float
    radius: float
    offsets: FloatArray  # (people, 2)
    velocities: FloatArray  # (people, 2)
    radii: FloatArray  # (people,)

    @property
    def distance(self) -> float:
        """Metres to the goal."""
        return math.hypot(self.goal[0], self.goal[1])

    @property
    def ahead(self) -> float:
        """Seconds that the robot looks ahead: longer if it is slow, but not past the goal."""
        speed = self.preferred_speed
        return min(max(AHEAD, 0.5 / speed), self.distance / speed)

    @property
    def loss(self) -> float:
        """What it costs to be a second late at the goal; less than 0."""
        late = 1.0 - DISCOUNT ** (-self.preferred_speed / UNIT)
        return DISCOUNT ** (self.distance / UNIT) * late


@dataclass(frozen=True, slots=True)
class Actions:
    """Straight moves to choose from."""

    speeds: FloatArray  # (actions,)
    headings: FloatArray  # (actions,)
    velocities: FloatArray  # (actions, 2)


@dataclass(frozen=True, slots=True)
class Outlook:
    """Where the actions lead: for each a state as the network takes it, see `ValueNetwork`."""

    own: FloatArray  # (actions, 7)
    others: FloatArray  # (people, actions, 8)
    distances: FloatArray  # (actions,) to the goal
    apart: FloatArray  # (people, actions) between the centres


def nearest(offsets: FloatArray, gaps: FloatArray, goal: FloatArray) -> IntArray:
    """Which people the robot looks at, up to three: those whose bodies are nearest.

    Gaps are told apart by the centimetre; of equally near people those to the left of the way to
    the goal are taken.
    """
    leftward = offsets @ np.array([-goal[1], goal[0]])
    return np.lexsort((leftward, -np.round(gaps, 2)))[-OTHERS:]


def best_action(situation: Situation, weights: Weights) -> tuple[float, float]:
    """Speed and heading of the action with the largest value; the first among equals."""
    actions = possible_actions(situation, weights)
    values = action_values(situation, actions, weights)
    best = int(np.argmax(np.round(values, 9)))  # or rounding would tell equals apart
    return float(actions.speeds[best]), float(actions.headings[best])


def possible_actions(situation: Situation, weights: Weights) -> Actions:
    """The discrete set that the authors trained these weights with."""
    listed = _gentle_actions if weights is Weights.ROTATE_RIGHT else _free_actions
    speeds, turned = listed(situation, math.atan2(situation.goal[1], situation.goal[0]))
    headings = _wrapped(turned)
    directions = np.stack([np.cos(headings), np.sin(headings)], axis=1)
    return Actions(speeds, headings, speeds[:, None] * directions)


def _gentle_actions(situation: Situation, bearing: float) -> tuple[FloatArray, FloatArray]:
    """Up to 30 degrees to either side, moving or on the spot; at the goal if it lies within."""
    heading, preferred = situation.heading, situation.preferred_speed
    moving = np.repeat(preferred * QUARTERS, len(GENTLE_TURNS))
    turned = np.tile(heading + GENTLE_TURNS, len(QUARTERS))
    speeds = np.concatenate([[0.0], moving, np.zeros(len(TURNS_ON_THE_SPOT))])
    headings = np.concatenate([[heading], turned, heading + TURNS_ON_THE_SPOT])
    if abs(math.remainder(bearing - heading, math.tau)) < GENTLE:
        speeds = np.concatenate([preferred * FIFTHS, speeds])
        headings = np.concatenate([np.full(len(FIFTHS), bearing), headings])
    if situation.speed > 0.05:
        speeds = np.concatenate([situation.speed * np.array([1.0, 0.75]), speeds])
        headings = np.concatenate([np.full(2, heading), headings])
    return speeds, headings


def _free_actions(situation: Situation, bearing: float) -> tuple[FloatArray, FloatArray]:
    """On as before, at the goal, stop, up to 60 degrees to either side.

    Who stops faces along the map's x axis; so it is in the authors' code.
    """
    heading, preferred = situation.heading, situation.preferred_speed
    moving = np.repeat(preferred * QUARTERS, len(FREE_TURNS))
    turned = np.tile(heading + FREE_TURNS, len(QUARTERS))
    return (
        np.concatenate([[situation.speed], preferred * FIFTHS, [0.0], moving]),
        np.concatenate([[heading], np.full(len(FIFTHS), bearing), [0.0], turned]),
    )


def action_values(situation: Situation, actions: Actions, weights: Weights) -> FloatArray:
    """What each action is worth, (actions,): its reward and the value of where it leads."""
    gaps, hits = _meetings(situation, actions)
    outlook = _outlook(situation, actions, weights)
    # Nothing is worth more than a straight way to the goal.
    bounds = DISCOUNT ** (np.minimum(outlook.distances, FARTHEST_GOAL) / UNIT)
    arrived = (outlook.distances < ARRIVED) & (gaps > CLOSE)
    unsettled = ~(hits | arrived)
    values = np.where(hits, 0.0, bounds)
    if unsettled.any():
        found = _network_values(shipped_network(weights), outlook, unsettled)
        values[unsettled] = np.minimum(found, bounds[unsettled])
    rewards = _rewards(situation, gaps)
    if weights is Weights.ROTATE_RIGHT:
        rewards += MANNERS * situation.loss * _is_unmannerly(situation, outlook)
    # To stand and wait fades by a fifth of what it would cost to go on.
    way = situation.ahead * (0.2 * situation.preferred_speed + 0.8 * actions.speeds)
    total: FloatArray = rewards + DISCOUNT ** (way / UNIT) * values
    return total


def _meetings(situation: Situation, actions: Actions) -> tuple[FloatArray, BoolArray]:
    """The smallest gap while each action lasts, and whether it hits anybody, (actions,) each."""
    offsets, walking = situation.offsets[:, None], situation.velocities[:, None]
    reaches = (situation.radius + situation.radii)[:, None]  # (people, 1)
    apart = np.hypot(*situation.offsets.T)[:, None]
    # Who is followed in the same direction might slow down: only part of their speed is trusted.
    bearings = np.arctan2(offsets[..., 1], offsets[..., 0])
    widths = np.arcsin(np.minimum(0.95, (reaches + CLOSE) / np.maximum(apart, TINY)))
    along = np.sum(walking * actions.velocities, axis=2)  # (people, actions)
    ahead = (np.abs(_wrapped(actions.headings - bearings)) < widths) & (along > 0)
    # The authors' code divides by the speed only for moves towards +x of the map.
    along = along / np.where(actions.velocities[:, 0] > TINY, actions.speeds, 1.0)
    trusted = walking - (0.5 * ahead * along)[..., None] * actions.velocities
    lasting = min(1.0, situation.ahead)
    closest = _approach(offsets, lasting * (trusted - actions.velocities))
    speeds = np.hypot(*situation.velocities.T)[:, None]
    is_far = apart > (situation.preferred_speed + speeds) * situation.ahead + reaches
    gaps = np.where(is_far, reaches + CLOSE + TINY, closest - reaches)
    hits = ~is_far & ((closest < reaches) | (apart < reaches))
    return gaps.min(axis=0), hits.any(axis=0)


def _approach(starts: FloatArray, moves: FloatArray) -> FloatArray:
    """How near each relative move gets to 0 after its start, (people, actions)."""
    squares = np.sum(moves * moves, axis=2)
    parts = -np.sum(starts * moves, axis=2) / np.where(squares > 0, squares, 1.0)
    parts = np.where((parts > 0) & (parts < 1), parts, 1.0)
    ends = starts + parts[..., None] * moves
    return np.hypot(ends[..., 0], ends[..., 1])


def _outlook(situation: Situation, actions: Actions, weights: Weights) -> Outlook:
    """The state after each action if everybody walks on, seen from the robot towards its goal."""
    ahead, headings = situation.ahead, actions.headings
    moves = ahead * actions.velocities  # (actions, 2)
    if weights is Weights.ROTATE_RIGHT:
        sharpest = situation.preferred_speed / TURNING_RADIUS * ahead
        turns = _wrapped(headings - situation.heading)
        headings = situation.heading + np.clip(turns, -sharpest, sharpest)
    to_goal = situation.goal - moves
    distances = np.hypot(to_goal[:, 0], to_goal[:, 1])
    is_there = distances <= TINY
    bearings = np.where(is_there, headings, np.arctan2(to_goal[:, 1], to_goal[:, 0]))
    x_axes = np.stack([np.cos(bearings), np.sin(bearings)], axis=1)  # (actions, 2)
    faced = _wrapped(headings - bearings)
    own = np.empty((len(headings), 7))
    own[:, 0] = np.minimum(distances, FARTHEST_GOAL)
    own[:, 1] = situation.preferred_speed
    own[:, 2] = actions.speeds
    own[:, 3] = faced
    own[:, 4] = actions.speeds * np.cos(faced)
    own[:, 5] = actions.speeds * np.sin(faced)
    own[:, 6] = situation.radius
    offsets = (situation.offsets + ahead * situation.velocities)[:, None] - moves
    apart = np.hypot(offsets[..., 0], offsets[..., 1])
    return Outlook(own, _seen_people(situation, offsets, apart, x_axes), distances, apart)


def _seen_people(
    situation: Situation, offsets: FloatArray, apart: FloatArray, x_axes: FloatArray
) -> FloatArray:
    """The people after each action, (people, actions, 8)."""
    y_axes = np.stack([-x_axes[:, 1], x_axes[:, 0]], axis=1)
    velocities, radii = situation.velocities, situation.radii[:, None]
    others = np.empty((*apart.shape, 8))
    others[..., 0] = velocities @ x_axes.T
    others[..., 1] = velocities @ y_axes.T
    others[..., 2] = np.sum(offsets * x_axes, axis=2)
    others[..., 3] = np.sum(offsets * y_axes, axis=2)
    np.clip(others[..., 2:4], -FARTHEST_PERSON, FARTHEST_PERSON, out=others[..., 2:4])
    others[..., 4] = radii
    others[..., 5] = situation.radius + radii
    others[..., 6] = np.clip(apart - situation.radius - radii, *GAPS)
    stands = np.sum(velocities * velocities, axis=1) < TINY
    others[..., 7] = np.where(stands, 2.0, 1.0)[:, None]
    return others


def _network_values(network: ValueNetwork, outlook: Outlook, which: BoolArray) -> FloatArray:
    """What the network says of some of the states; in place of missing people it sees copies."""
    others = outlook.others
    missing = OTHERS - len(others)
    if missing:
        first = outlook.apart[:, np.argmax(which)]  # the authors' code looks at one state only
        copy = others[np.argmin(first)].copy()
        copy[:, 7] = 0.0
        others = np.concatenate([others, [copy] * missing])
    return np.clip(network.values(outlook.own[which], others[:, which]), COLLISION, 1.0)


def _rewards(situation: Situation, gaps: FloatArray) -> FloatArray:
    """What each action earns on the way, (actions,): nothing, or less for getting close."""
    apart = np.hypot(*situation.offsets.T) - situation.radius - situation.radii
    gap, loss = apart.min(), situation.loss
    if gap < 0:
        return np.full(len(gaps), COLLISION)
    rewards = np.full(len(gaps), loss if gap < CLOSE else 0.0)
    closing = 2.0 * (rewards + loss) + 5.0 * loss * (CLOSE - gaps)
    rewards = np.where(gaps < 0, COLLISION, rewards)
    is_close = (gaps > 0) & (gaps < CLOSE)
    return np.where(is_close, np.clip(closing, COLLISION + 0.01, 0.0), rewards)


def _is_unmannerly(situation: Situation, outlook: Outlook) -> BoolArray:
    """Which actions cut in on the nearest person, (actions,): they should pass on the right.

    What lies exactly on a line counts as TINY beside it; else rounding would decide.
    """
    apart = np.hypot(*situation.offsets.T) - situation.radii
    distance, preferred, speed, heading, vx, vy, _ = outlook.own.T
    other_vx, other_vy, x, y = outlook.others[np.argmin(apart)].T[:4]
    other_speed = np.hypot(other_vx, other_vy)
    other_heading = np.arctan2(other_vy, other_vx)
    overtakes = (speed > other_speed + 0.1) & (heading < -TINY)
    overtakes &= _within(x, 0.0, 3.0) & _within(y, -0.5, 2.0)
    is_overtaken = (speed < other_speed - 0.1) & (heading > TINY)
    is_overtaken &= _within(x, -3.0, 0.0) & _within(y, -2.0, -TINY)
    same = (np.abs(other_heading) < math.pi / 6) & (overtakes | is_overtaken)
    opposite = (other_heading < -5 * math.pi / 6) & (other_vy < -TINY) & (heading > TINY)
    opposite &= _within(x, 0.0, 5.0) & _within(y, -2.0, -TINY)
    swerve = _wrapped(np.arctan2(vy - other_vy, vx - other_vx) - np.arctan2(-y, -x))
    crossing = (swerve < -TINY) | (swerve > math.pi - TINY)
    crossing &= (np.abs(other_heading) > math.pi / 4) & (preferred > other_speed - 0.2)
    crossing &= (x > 0) & (np.hypot(x, y) < 3)
    cuts_in = ((speed > TINY) & (same | opposite)) | crossing
    unmannerly: BoolArray = (distance > 1) & (other_speed > TINY) & cuts_in
    return unmannerly


def _within(numbers: FloatArray, low: float, high: float) -> BoolArray:
    return (numbers > low) & (numbers < high)


def _wrapped(angles: FloatArray) -> FloatArray:
    return (angles + math.pi) % math.tau - math.pi
