"""What the pace of a crowd says about its frame rate and scale, as findings."""

import math
from dataclasses import replace

from paseo.crowd_check.findings import SURE, Doubt, Finding, Remedy
from paseo.crowd_check.pace import SPACINGS, TOP_SPEEDS, WalkingPace, typical
from paseo.data.store.catalog import Affine

TOSS_UP = 0.2  # how sure the less likely explanation must be to be told
USUAL_RATES = (1, 2, 2.5, 3, 4, 5, 6, 7.5, 8, 10, 12.5, 15, 20, 25, 30, 50, 60, 100, 120)
UNITS = {"feet": 3.2808, "centimetres": 100.0, "millimetres": 1000.0, "kilometres": 0.001}
SAME_UNIT = 0.2  # of the logarithm
FAR_FROM_METRES = 8.0
LARGEST_IMAGE = 10_000  # pixels


def pace_finding(pace: WalkingPace, fps: float, extent: tuple[float, float]) -> Finding | None:
    """What is wrong with frame rate or scale; `extent` is that of the crowd along x and y."""
    if pace.implausibility < SURE or not pace.speed_ratio:
        return None
    scale = pace.scale_is_likelier()
    if pace.spacing is None:  # only the size of the scene is left to tell them apart
        scale = 0.9 if not 3 < math.hypot(*extent) < 300 else 0.3
    rate_finding = _rate_finding(pace, (1 - scale) * pace.implausibility, fps)
    scale_finding = _scale_finding(pace, scale * pace.implausibility, extent)
    likelier, other = rate_finding, scale_finding
    if scale > 0.5:
        likelier, other = scale_finding, rate_finding
    if other.sure < TOSS_UP:
        return likelier
    return replace(
        likelier, fix=f"{likelier.fix}; or else the {other.doubt} is wrong ({other.sure:.0%} sure)"
    )


def likely_rates(pace: WalkingPace, fps: float) -> list[float]:
    """Frame rates in use at which these people would walk like people, the likeliest first."""
    ratio = pace.speed_ratio
    if not ratio:
        return []
    best, reach = fps / ratio, 2 * pace.uncertainty
    near = [rate for rate in USUAL_RATES if abs(math.log(rate / best)) <= reach]
    return sorted(near, key=lambda rate: abs(math.log(rate / best)))


def _rate_finding(pace: WalkingPace, sure: float, fps: float) -> Finding:
    assert pace.speed_ratio
    best, rates = fps / pace.speed_ratio, likely_rates(pace, fps)
    low, high = (best * math.exp(sign * 2 * pace.uncertainty) for sign in (-1, 1))
    which = " or ".join(f"{rate:g}" for rate in rates[:3]) or f"{best:.3g}"
    motion = "slow motion" if pace.speed_ratio < 1 else "time lapse"
    verb = "is" if sure >= SURE else "would be"
    verdict = "which fits people, so the scale is right"
    if not pace.spacing_fits:
        verdict = "which does not fit people either, so the scale may be wrong as well"
    return Finding(
        doubt=Doubt.FRAME_RATE,
        sure=sure,
        what=f"at {fps:g} frames/s {_speeds(pace)}: this {verb} {motion}, "
        f"{pace.speed_ratio:.2f} times life{_while_spacing(pace, verdict)}",
        fix=f"the true rate is about {best:.3g} frames/s ({low:.3g} to {high:.3g}); ask the "
        f"source, else try fps {which}",
        remedies=(Remedy("fps", tuple(rates[:3] or [best])),),
    )


def _scale_finding(pace: WalkingPace, sure: float, extent: tuple[float, float]) -> Finding:
    assert pace.speed_ratio
    ratio = pace.speed_ratio
    unit = next((u for u, n in UNITS.items() if abs(math.log(ratio / n)) < SAME_UNIT), None)
    pixels = unit is None and ratio > FAR_FROM_METRES and 50 < max(extent) < LARGEST_IMAGE
    size = f"positions over {extent[0]:.4g} x {extent[1]:.4g}"
    scaling = _scaling(UNITS[unit] if unit else ratio)
    if unit:
        guess, fix = f"{size} look like {unit}", ""
    elif pixels:
        guess = f"{size} look like pixels, about {ratio:.3g} to the metre"
        fix = "give the camera's calibration to metres; as a makeshift, "
    else:
        guess = f"{size} are not in metres: one metre is about {ratio:.3g} of them"
        fix = "find the scale at the source; as a makeshift, "
    return Finding(
        doubt=Doubt.PIXELS if pixels else Doubt.SCALE,
        sure=sure,
        what=f"taken for metres, {_speeds(pace)}{_while_spacing(pace, 'as far off')}: {guess}",
        fix=f"{fix}transform={','.join(f'{each:.3g}' for row in scaling for each in row)}",
        remedies=(Remedy("transform", (scaling,)),),
    )


def _scaling(per_metre: float) -> Affine:
    factor = float(f"{1 / per_metre:.3g}")
    return (factor, 0.0, 0.0), (0.0, factor, 0.0)


def _speeds(pace: WalkingPace) -> str:
    return (
        f"the {pace.walkers} people who walk through hardly ever exceed {pace.top_speed:.3g} m/s "
        f"(real crowds: {typical(TOP_SPEEDS):.2f}, {min(TOP_SPEEDS.values()):.2f} to "
        f"{max(TOP_SPEEDS.values()):.2f})"
    )


def _while_spacing(pace: WalkingPace, verdict: str) -> str:
    if pace.spacing is None:
        return ""
    return (
        f"; those who walk together keep {pace.spacing:.3g} m apart (real crowds: "
        f"{typical(SPACINGS):.2f}), {verdict}"
    )
