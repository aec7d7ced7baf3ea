"""Hairlines and hairstyles, as values."""

from dataclasses import dataclass

# The hairline: degrees from the front, metres above the eyes.
LINE = {
    "full": (
        [0, 25, 45, 58, 70, 78, 92, 104, 125, 150, 180],
        [0.070, 0.068, 0.056, 0.030, 0.002, -0.006, 0.030, 0.012, -0.050, -0.072, -0.078],
    ),
    "soft": (
        [0, 25, 45, 58, 70, 78, 92, 104, 125, 150, 180],
        [0.068, 0.064, 0.050, 0.030, 0.014, 0.012, 0.030, 0.010, -0.045, -0.066, -0.072],
    ),
    "receding": (
        [0, 14, 30, 45, 58, 70, 78, 92, 104, 125, 150, 180],
        [0.088, 0.092, 0.108, 0.088, 0.040, 0.002, -0.004, 0.030, 0.012, -0.05, -0.07, -0.075],
    ),
    "fringe": (
        [0, 40, 62, 70, 78, 92, 104, 125, 150, 180],
        [0.20, 0.20, 0.12, 0.002, -0.004, 0.030, 0.012, -0.050, -0.070, -0.075],
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How hair grows and is combed; lengths in metres on a head of usual size."""

    line: str = "full"
    cards: int = 260
    steps: int = 6
    width: float = 0.017
    top: float = 0.045  # length on the crown
    sides: float = 0.025  # length at the ears and the nape
    lift: float = 0.35  # how steeply it leaves the scalp, 0 lies flat
    thick: float = 0.012  # how far it stands off the scalp
    shell: float = 0.006
    part: float = 0.035  # where it is parted, metres to the left
    comb: str = "forward"  # forward, side, tangle, down, back or knot
    curl: float = 0.0
    fall: float = 0.0  # metres below the eyes where long hair ends
    start: float = 0.0  # how far out of the shell strips begin, as a share of its height
    tail: int = 0  # cards of a ponytail
    bun: float = 0.0  # radius of a bun


STYLES = {
    "crop": Style(top=0.028, sides=0.016, lift=0.22, thick=0.008, cards=330, width=0.014),
    "short": Style(top=0.055, sides=0.018, lift=0.22, thick=0.013, comb="side", cards=330),
    "parted": Style(
        top=0.085, sides=0.020, lift=0.22, thick=0.015, shell=0.008, comb="side", cards=330
    ),
    "swept": Style(
        top=0.090, sides=0.020, lift=0.30, thick=0.022, shell=0.010, comb="back", cards=330
    ),
    "buzz": Style(top=0.010, sides=0.007, lift=0.5, thick=0.003, cards=0, shell=0.006),
    "curls": Style(
        top=0.046,
        sides=0.036,
        lift=0.5,
        thick=0.0,
        comb="tangle",
        curl=0.006,
        cards=420,
        width=0.022,
        shell=0.024,
        start=0.9,
    ),
    "afro": Style(
        line="soft",
        top=0.040,
        sides=0.040,
        lift=0.55,
        thick=0.0,
        comb="tangle",
        curl=0.007,
        cards=460,
        width=0.026,
        shell=0.060,
        start=0.92,
    ),
    "receding": Style(
        line="receding",
        top=0.035,
        sides=0.020,
        lift=0.3,
        thick=0.008,
        comb="back",
        cards=340,
        width=0.014,
    ),
    "fringe": Style(
        line="fringe",
        top=0.02,
        sides=0.022,
        lift=0.3,
        thick=0.007,
        comb="down",
        cards=230,
        width=0.014,
    ),
    "bob": Style(
        line="soft",
        comb="down",
        fall=0.105,
        thick=0.020,
        shell=0.010,
        cards=330,
        steps=9,
        width=0.022,
        lift=0.3,
    ),
    "long": Style(
        line="soft",
        comb="down",
        fall=0.25,
        thick=0.018,
        shell=0.009,
        cards=330,
        steps=11,
        width=0.024,
        part=0.012,
        lift=0.3,
    ),
    "wavy": Style(
        line="soft",
        comb="down",
        fall=0.19,
        thick=0.024,
        shell=0.010,
        cards=340,
        steps=11,
        width=0.026,
        curl=0.006,
        part=-0.03,
        lift=0.4,
    ),
    "ponytail": Style(
        line="soft",
        comb="knot",
        thick=0.008,
        shell=0.006,
        cards=260,
        steps=8,
        width=0.020,
        lift=0.15,
        tail=46,
    ),
    "bun": Style(
        line="soft",
        comb="knot",
        thick=0.008,
        shell=0.006,
        cards=250,
        steps=8,
        width=0.020,
        lift=0.15,
        bun=0.040,
    ),
}
