"""Colours of pictures, light and dark; planners keep apart for colour-blind people as well."""

from dataclasses import dataclass

from paseo.errors import BadValue

Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """The colours of a picture."""

    name: str
    page: Rgb  # behind text
    solid: Rgb  # walls and what lies behind them
    floor: Rgb
    edge: Rgb  # the line where floor meets wall
    ink: Rgb
    faint: Rgb  # text that matters less, start and goal
    person: Rgb
    rim: Rgb  # of people, and the tick that shows where they go
    contact: Rgb
    planners: tuple[Rgb, ...]

    def planner(self, number: int) -> Rgb:
        """The colour of this number (see `colour_numbers`), from 0; after the last they repeat."""
        return self.planners[number % len(self.planners)]


def rgb(text: str) -> Rgb:
    """The colour written as #RRGGBB."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def as_text(colour: Rgb) -> str:
    """The colour as #RRGGBB."""
    return "#{:02X}{:02X}{:02X}".format(*colour)


def mixed(colour: Rgb, other: Rgb, share: float) -> Rgb:
    """`colour` with a share of the other from 0 to 1."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(colour, other, strict=True))
    return red, green, blue


def _planners(text: str) -> tuple[Rgb, ...]:
    return tuple(rgb(word) for word in text.split())


# Planners: the first eight of the light ones are from the sets of Okabe and Ito and of Tol; the
# others were searched for so that the nearest two are as far apart as can be in CIELAB, to normal
# eyes and to each kind of colour blindness, the first twelve (of planners that ship) more so, and
# that a number has about the same hue in both themes. Red is for contacts, which are also told by
# their shape.
LIGHT = Theme(
    name="light",
    page=rgb("#FFFFFF"),
    solid=rgb("#D9DDE3"),
    floor=rgb("#FAFBFC"),
    edge=rgb("#8B95A3"),
    ink=rgb("#1B232E"),
    faint=rgb("#5E6B7B"),
    person=rgb("#A9B3C0"),
    rim=rgb("#5E6B7B"),
    contact=rgb("#D7191C"),
    planners=_planners(
        "#0072B2 #E69F00 #882255 #56B4E9 #CC79A7 #332288 #997700 #C49C94 "
        "#5B3000 #A08BFF #276334 #7F7E3A #098270 #22C375 #8FB559 #3C52B0 "
        "#38A36C #9C515C #E04489 #B4B243 #9C85C3 #2C7EFA #551110 #8D1D88"
    ),
)
DARK = Theme(
    name="dark",
    page=rgb("#12161C"),
    solid=rgb("#343C48"),
    floor=rgb("#1B2129"),
    edge=rgb("#778394"),
    ink=rgb("#EEF2F6"),
    faint=rgb("#9AA7B6"),
    person=rgb("#66727F"),
    rim=rgb("#B4BFCC"),
    contact=rgb("#FF4B42"),
    planners=_planners(
        "#54CBFE #ECA73A #FA89E6 #1C95F8 #F0C6E5 #745FB7 #EDF87A #FA7C80 "
        "#AA5402 #997FB2 #B1F2A4 #D8B563 #28B982 #06FCBF #71952E #8AA6D7 "
        "#84C7B1 #C82964 #A4508F #8E9551 #B372D4 #0069D6 #9C593B #A97088"
    ),
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


def find_theme(name: str) -> Theme:
    """The theme of that name."""
    if name not in THEMES:
        raise BadValue(f"no theme is called '{name}', expected {' or '.join(THEMES)}")
    return THEMES[name]
