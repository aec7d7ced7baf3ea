"""Colours that tell the people of a scene apart."""

from collections.abc import Sequence

from paseo.render.raster.palette import Rgb, mixed, rgb

WHITE, INK = rgb("#FFFFFF"), rgb("#14181F")
ROBOT = rgb("#000000")  # and the goal; nobody else is black

# Chosen from the sets of Okabe and Ito and of Tol so that any two of the first eight are far apart
# in CIELAB, to normal eyes and to each kind of colour blindness, and so are all from black; the
# next five as far as can be. In this order so that neighbours differ most.
_WORDS = """#0072B2 #FFAABB #882255 #88CCEE #D55E00 #009988 #E69F00 #EE3377
            #999933 #117733 #BBCC33 #EE8866 #CC3311"""
PALETTE = tuple(rgb(word) for word in _WORDS.split())
PALER, LEGIBLE = 0.45, 3.5
LAST = 255  # of the steps that the original's colour map is cut into


def safe_colours(numbers: Sequence[int]) -> dict[int, Rgb]:
    """A colour for each person's number; after the last they repeat, paler and darker by turns."""
    return {number: _safe_colour(number - 1) for number in numbers}


def brg_colours(numbers: Sequence[int]) -> dict[int, Rgb]:
    """The original's: evenly from blue over red to green, the first blue (matplotlib's `brg`)."""
    steps = max(len(numbers) - 1, 1)
    return {number: _brg(place / steps) for place, number in enumerate(numbers)}


def letter_colour(colour: Rgb) -> Rgb:
    """White or dark, whichever is legible on the colour; white where both are."""
    return WHITE if 1.05 / (luminance(colour) + 0.05) >= LEGIBLE else INK


def luminance(colour: Rgb) -> float:
    """How light a colour is, from 0 to 1, as the Web's rules of contrast (WCAG) define it."""
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _safe_colour(place: int) -> Rgb:
    lap, place = divmod(place, len(PALETTE))
    if lap == 0:
        return PALETTE[place]
    return mixed(PALETTE[place], WHITE if lap % 2 else INK, PALER)


def _brg(share: float) -> Rgb:
    at = min(int(share * (LAST + 1)), LAST) / LAST
    parts = (1 - abs(2 * at - 1), max(2 * at - 1, 0.0), max(1 - 2 * at, 0.0))
    red, green, blue = (round(part * LAST) for part in parts)
    return red, green, blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
