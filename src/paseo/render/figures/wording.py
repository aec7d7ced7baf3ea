"""How wide the words of a figure are."""

from functools import lru_cache

from paseo.render.figures.saving import printable
from paseo.render.raster.wording import cut


@lru_cache(maxsize=4096)
def length(words: str, points: float, weight: str = "normal") -> float:
    """How many inches a line of text takes in matplotlib's own font."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    if not words.strip():
        return 0.0
    font = FontProperties(family="DejaVu Sans", weight=weight)
    return float(TextPath((0, 0), printable(words), size=points, prop=font).get_extents().x1) / 72


def shortened(words: str, room: float, points: float, weight: str = "normal") -> str:
    """As much of a line of text as fits into so many inches."""
    return cut(words, lambda line: length(line, points, weight) <= room)
