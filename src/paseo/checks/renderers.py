"""The contract of a renderer."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace

import numpy as np

from paseo.checks.contract import ContractBroken, refuse
from paseo.checks.worlds import CROSSING, NOBODY, Wander, first_state, small_room, untold
from paseo.planners.stop import Stop
from paseo.render.raster.palette import DARK, LIGHT
from paseo.render.staging.backdrop import Backdrop, Size, backdrop_of
from paseo.render.staging.playthrough import Moment, Playthrough
from paseo.render.staging.renderers import MakeRenderer, Renderer, Rendering
from paseo.sim.simulate import simulate
from paseo.text import error_words
from paseo.world.recordfile import record_bytes
from paseo.world.records import Record

TIME_LIMIT = 4.0
SIZES: tuple[Size, ...] = ((320, 240), (120, 300))
SHARES = (0.0, 0.37, 1.0)  # of a record's time at which it is drawn


def check_renderer(make: MakeRenderer) -> None:
    """Raise `ContractBroken` unless renderers made by `make` can draw any record.

    Made for a backdrop and a size, they must give RGB frames of just that size, and depths, if any,
    in metres; the same for the same moments, whatever was drawn before and in whatever order; leave
    what they are shown as it is, and frames that were handed out as well; and cope with nobody
    around, two robots in one picture, a record of one state, and with no map or goal.
    """
    if not callable(make):
        raise ContractBroken(
            f"check_renderer got {make!r:.80}, expected the renderer's class or a function that "
            "makes renderers"
        )
    faults: dict[str, None] = {}
    for words, records in _cases().items():
        for size in SIZES:
            faults |= dict.fromkeys(f"{words}: {fault}" for fault in _faults(make, records, size))
        if faults:
            break
    refuse(list(faults))


def _cases() -> dict[str, list[Record]]:
    """Records to be drawn in one picture, by what is special about them."""
    room = small_room(CROSSING, TIME_LIMIT)
    crossing, standing = simulate(room, Wander()), simulate(room, Stop())
    bare = replace(crossing, scenario=untold(room))
    return {
        "with people crossing": [crossing],
        "with nobody": [simulate(small_room(NOBODY, TIME_LIMIT), Wander())],
        "with two robots": [crossing, standing],
        "with a record of one state": [first_state(crossing)],
        "without a map or a goal": [bare],
    }


def _faults(make: MakeRenderer, records: Sequence[Record], size: Size) -> list[str]:
    playthroughs = [Playthrough(record) for record in records]
    end = max(playthrough.end for playthrough in playthroughs)
    times = [[each.at(share * end) for each in playthroughs] for share in SHARES]
    before = _facts(records, times)
    for theme in (LIGHT, DARK):
        renderer = _made(make, backdrop_of(records, theme=theme), size)
        faults = _drawing_faults(renderer, times, size)
        if _facts(records, times) != before:
            return ["render() changes what it is shown; copy what you want to change"]
        if faults:
            return faults
    first = _drawn(renderer, times[-1])
    again = _drawn(_made(make, backdrop_of(records, theme=DARK), size), times[-1])
    if not _alike(first, again):
        return ["a new renderer draws the same moment differently; keep nothing in the class"]
    return []


def _facts(records: Sequence[Record], times: Sequence[Sequence[Moment]]) -> list[bytes]:
    """What may not change about records and their moments."""
    facts = [record_bytes(record) for record in records]
    for moment in (moment for moments in times for moment in moments):
        crowd = moment.snapshot.crowd
        arrays = (moment.path, moment.trails, crowd.positions, crowd.velocities, crowd.radii)
        facts += [array.tobytes() for array in arrays]
    return facts


def _drawing_faults(renderer: Renderer, times: Sequence[Sequence[Moment]], size: Size) -> list[str]:
    """What goes wrong when moments are drawn from first to last and then from last to first."""
    renderings = [_drawn(renderer, moments) for moments in times]
    for rendering in renderings:
        if fault := _fault_of(rendering, size):
            return [fault]
    kept = [deepcopy(rendering) for rendering in renderings]
    for rendering in renderings:
        if rendering.rgb.flags.writeable:
            rendering.rgb[:] = 0  # whoever writes on a frame must not spoil the next one
    for moments, first in zip(reversed(times), reversed(kept), strict=True):
        if not _alike(_drawn(renderer, moments), first):
            return [
                "the same moment was drawn differently the second time; draw each into an array of "
                "its own, and keep nothing of one for the next"
            ]
    return []


def _made(make: MakeRenderer, backdrop: Backdrop, size: Size) -> Renderer:
    try:
        renderer = make(backdrop, size)
    except Exception as error:
        raise ContractBroken(
            f"a renderer cannot be made of a backdrop and a size {size} ({error_words(error)})"
        ) from error
    if not callable(getattr(renderer, "render", None)):
        raise ContractBroken(f"{type(renderer).__name__} has no method render()")
    return renderer


def _drawn(renderer: Renderer, moments: Sequence[Moment]) -> Rendering:
    try:
        rendering = renderer.render(moments)
    except Exception as error:
        raise ContractBroken(
            f"render() raised {type(error).__name__} at {moments[0].snapshot.time:g} s: {error}"
        ) from error
    if not isinstance(rendering, Rendering):
        raise ContractBroken(f"render() gave {rendering!r:.80}, expected a Rendering")
    return rendering


def _fault_of(rendering: Rendering, size: Size) -> str:
    """What is wrong with the arrays of a rendering; empty for nothing."""
    width, height = size
    frame, depth = rendering.rgb, rendering.depth
    if not (isinstance(frame, np.ndarray) and frame.dtype == np.uint8):
        return "rgb is no array of uint8"
    if frame.shape != (height, width, 3):
        return f"rgb has the shape {frame.shape}, expected {(height, width, 3)} of {size} pixels"
    if depth is None:
        return ""
    if depth.shape != (height, width) or not np.issubdtype(depth.dtype, np.floating):
        return f"depth has the shape {depth.shape}, expected {(height, width)} of floats"
    if not bool((depth >= 0).all()):
        return "depth is below 0 or NaN somewhere, expected metres, inf where nothing is seen"
    return ""


def _alike(a: Rendering, b: Rendering) -> bool:
    if a.depth is None or b.depth is None:
        return np.array_equal(a.rgb, b.rgb) and a.depth is b.depth
    return np.array_equal(a.rgb, b.rgb) and np.array_equal(a.depth, b.depth)
