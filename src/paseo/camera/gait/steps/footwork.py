"""The walks of a whole record: where everybody went is known, so feet know where they go."""

from dataclasses import dataclass

import numpy as np

from paseo.camera.gait.steps import stepping
from paseo.camera.gait.steps.company import gazes_of
from paseo.camera.gait.steps.paths import Span, spans_of
from paseo.camera.gait.steps.stepping import TICK
from paseo.camera.gait.steps.walks import Walks, between, walks_from_states
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray, IntArray

LEG = 0.9  # metres; of people whose body is not known
GONE = 0.5  # metres; who goes that far sets out, and faces there from the beginning
GOLDEN = 0.6180339887498949  # spreads phases evenly over ids


@dataclass(frozen=True, slots=True, eq=False)
class Footwork:
    """How everybody walks from the first moment to the last; the same whenever it is asked."""

    ids: IntArray  # (people,)
    spans: tuple[Span, ...]  # when each was there without a break
    states: tuple[FloatArray, ...]  # (ticks, columns) for each span

    def at(self, time: float) -> Walks:
        """How those who are present walk at a time."""
        rows, who = [], []
        for span, states in zip(self.spans, self.states, strict=True):
            tick = time / TICK - span.first
            if -1e-6 <= tick <= len(states) - 1 + 1e-6:
                first = min(max(int(tick + 1e-6), 0), max(len(states) - 2, 0))
                rows.append((states[first], states[min(first + 1, len(states) - 1)], tick - first))
                who.append(span.person)
        if not rows:
            return walks_from_states(time, self.ids[:0], np.empty((0, stepping.COLUMNS)))
        before, after, share = (np.array(each) for each in zip(*rows, strict=True))
        order = np.argsort(self.ids[who], kind="stable")
        states = between(before, after, np.clip(share, 0.0, 1.0))[order]
        return walks_from_states(time, self.ids[who][order], states)


def walks_of(
    times: FloatArray,
    positions: FloatArray,
    ids: IntArray,
    *,
    leg_lengths: FloatArray | None = None,
) -> Footwork:
    """How people walk who are at these positions, (times, people, 2), NaN while absent.

    Of a record: `walks_of(record.times, record.people, record.ids)`.
    """
    people = len(ids)
    legs = np.full(people, LEG) if leg_lengths is None else leg_lengths
    if positions.shape != (len(times), people, 2) or legs.shape != (people,):
        raise BadValue(
            f"walks of {people} people at {len(times)} times need positions of shape "
            f"({len(times)}, {people}, 2) and as many leg lengths, not {positions.shape} "
            f"and {legs.shape}"
        )
    spans = spans_of(times, positions)
    gazes = gazes_of(spans)
    states = []
    for span, gaze in zip(spans, gazes, strict=True):
        leg, person = float(legs[span.person]), int(ids[span.person])
        facing, phase = habits(person)
        first = stepping.first_state(span.path, setting_out(span.path, facing), phase, leg)
        rest = stepping.step_along(first, span.path, len(span.path) - 1, gaze, leg)
        states.append(np.concatenate([first[None], rest]))
    return Footwork(ids, tuple(spans), tuple(states))


def setting_out(path: FloatArray, facing: float) -> float:
    """Where somebody faces who will go along the path; as given if they only stand there."""
    off = path - path[0]
    gone = np.flatnonzero(np.hypot(off[:, 0], off[:, 1]) > GONE)
    return float(np.arctan2(off[gone[0], 1], off[gone[0], 0])) if len(gone) else facing


def habits(person: int) -> tuple[float, float]:
    """Where somebody faces who only stands there, and with which phase they walk: by id alone."""
    share = (person * GOLDEN) % 1.0
    return 2.0 * np.pi * ((person * GOLDEN * GOLDEN) % 1.0) - np.pi, share
