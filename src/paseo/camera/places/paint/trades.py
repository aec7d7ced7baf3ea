"""What shops of a trade show in their windows."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from paseo.camera.places.paint.brush import BACK, Brush, Rgb, Rng, one_of, shaded

Colours = tuple[Rgb, ...]
Fill = Callable[[Brush, Rng], None]

CLOTH: Colours = ((44, 52, 78), (122, 40, 44), (196, 184, 160), (74, 84, 62), (28, 28, 30),
                  (150, 112, 74), (212, 206, 200), (96, 118, 140))  # fmt: skip
SPINES: Colours = ((150, 52, 44), (44, 70, 104), (206, 188, 146), (60, 92, 70), (40, 40, 44),
                   (186, 140, 60), (214, 208, 196), (112, 74, 96))  # fmt: skip
BREAD: Colours = ((176, 118, 60), (198, 146, 84), (142, 88, 42), (212, 172, 116))
GLASSWARE: Colours = ((58, 84, 52), (120, 66, 30), (170, 150, 90), (60, 70, 84), (130, 34, 40))
FLOWERS: Colours = ((206, 62, 74), (232, 186, 74), (226, 214, 220), (176, 92, 160), (232, 128, 80))
LEATHER: Colours = ((70, 42, 26), (26, 24, 24), (132, 84, 48), (196, 186, 174), (96, 34, 34))


def _racks(brush: Brush, levels: Sequence[float], wood: Rgb) -> None:
    """Boards along the back wall."""
    left, _, right, _ = BACK
    for level in levels:
        brush.box(left, level, right, level + 0.010, wood)
        brush.box(left, level + 0.010, right, level + 0.022, shaded(wood, 0.5))


def _clothes(brush: Brush, rng: Rng) -> None:
    """Rails of garments, and dummies before them."""
    left, _, right, _ = BACK
    for top, long in ((0.20, 0.16), (0.43, 0.19)):
        brush.box(left, top, right, top + 0.006, (90, 88, 86))
        x = left + 0.01
        while x < right - 0.03:
            wide = float(rng.uniform(0.012, 0.026))
            end = top + long * float(rng.uniform(0.8, 1.0))
            neck = [(x, top + 0.02), (x + wide / 2, top + 0.006), (x + wide, top + 0.02)]
            brush.shape([*neck, (x + wide, end), (x, end)], one_of(CLOTH, rng))
            x += wide + float(rng.choice([0.002, 0.002, 0.02]))
    for x in (0.20, 0.50, 0.79):
        _dummy(brush, x + float(rng.uniform(-0.03, 0.03)), rng)


def _dummy(brush: Brush, x: float, rng: Rng) -> None:
    skin, coat, lower = (206, 198, 188), one_of(CLOTH, rng), one_of(CLOTH, rng)
    brush.oval(x, 0.955, 0.055, 0.012, (52, 50, 48))
    brush.stroke([(x, 0.70), (x, 0.95)], (60, 58, 56), 0.008)
    brush.oval(x, 0.335, 0.020, 0.030, skin)
    brush.shape([(x - 0.009, 0.35), (x + 0.009, 0.35), (x + 0.012, 0.39), (x - 0.012, 0.39)], skin)
    for side in (-1, 1):
        hand = [(x + side * 0.056, 0.40), (x + side * 0.068, 0.52), (x + side * 0.058, 0.62)]
        brush.stroke(hand, shaded(coat, 0.85), 0.020)
    if rng.random() < 0.5:  # a dress or a coat
        brush.shape(
            [(x - 0.036, 0.52), (x + 0.036, 0.52), (x + 0.078, 0.80), (x - 0.078, 0.80)], coat
        )
    else:
        for side in (-1, 1):
            leg = [
                (x, 0.56),
                (x + side * 0.046, 0.56),
                (x + side * 0.038, 0.88),
                (x + side * 0.008, 0.88),
            ]
            brush.shape(leg, lower)
    trunk = [(x - 0.058, 0.395), (x + 0.058, 0.395), (x + 0.040, 0.50), (x + 0.050, 0.59),
             (x - 0.050, 0.59), (x - 0.040, 0.50)]  # fmt: skip
    brush.shape(trunk, coat)
    brush.stroke([(x, 0.41), (x, 0.58)], shaded(coat, 0.7), 0.004)


def _books(brush: Brush, rng: Rng) -> None:
    """Shelves full of spines, and books that lie on a table."""
    left, _, right, _ = BACK
    levels = (0.24, 0.34, 0.44, 0.54, 0.64)
    brush.box(left, 0.14, right, 0.66, (70, 50, 36))
    for level in levels:
        x = left + 0.006
        while x < right - 0.012:
            wide, high = float(rng.uniform(0.006, 0.016)), float(rng.uniform(0.055, 0.085))
            brush.box(x, level - high, x + wide, level, one_of(SPINES, rng))
            x += wide + float(rng.choice([0.001, 0.001, 0.001, 0.02]))
    _racks(brush, levels, (104, 76, 52))
    _table(brush, 0.80, (126, 92, 62))
    for x in np.arange(0.12, 0.86, 0.088).tolist():
        tall = float(rng.uniform(0.09, 0.12))
        lean = [(x, 0.795), (x + 0.066, 0.795), (x + 0.066, 0.795 - tall), (x, 0.795 - tall)]
        cover = one_of(SPINES, rng)
        brush.shape(lean, cover)
        brush.box(x + 0.012, 0.81 - tall, x + 0.054, 0.825 - tall, shaded(cover, 1.5))


def _table(brush: Brush, top: float, wood: Rgb) -> None:
    """A low stand along the pane."""
    brush.box(0.06, top, 0.94, top + 0.020, shaded(wood, 1.25))
    brush.box(0.08, top + 0.020, 0.92, 0.97, shaded(wood, 0.75))


def _cafe(brush: Brush, rng: Rng) -> None:
    """A counter with a glass case, boards with prices, cups and bottles."""
    for x in (0.22, 0.45, 0.68):
        brush.box(x, 0.17, x + 0.17, 0.29, (40, 40, 40))
        for row in range(5):
            end = x + 0.05 + float(rng.uniform(0.02, 0.09))
            brush.box(x + 0.02, 0.187 + 0.02 * row, end, 0.192 + 0.02 * row, (196, 192, 180))
    _racks(brush, (0.40, 0.50), (92, 68, 48))
    for level in (0.40, 0.50):
        for x in np.arange(0.19, 0.82, 0.030).tolist():
            high = float(rng.uniform(0.02, 0.07))
            brush.box(x, level - high, x + 0.014, level, one_of(GLASSWARE, rng))
    wood = (110, 76, 50)
    brush.box(0.10, 0.66, 0.90, 0.94, wood)
    for x in np.arange(0.10, 0.90, 0.05).tolist():
        brush.box(x, 0.68, x + 0.003, 0.94, shaded(wood, 0.7))
    brush.box(0.08, 0.635, 0.92, 0.665, (206, 200, 190))
    brush.box(0.14, 0.55, 0.52, 0.635, (150, 156, 150))
    for low in (0.577, 0.617):
        for x in np.arange(0.165, 0.50, 0.036).tolist():
            brush.oval(x, low, 0.014, 0.009, one_of(BREAD, rng))
    brush.box(0.64, 0.555, 0.78, 0.637, (120, 122, 126))
    brush.box(0.66, 0.575, 0.76, 0.60, (46, 46, 50))
    for x in (0.25, 0.5, 0.75):
        brush.stroke([(x, 0.0), (x, 0.30)], (34, 32, 30), 0.005)
        brush.oval(x, 0.315, 0.030, 0.020, (60, 44, 34))
        brush.oval(x, 0.330, 0.020, 0.009, (255, 236, 190))


def _shoes(brush: Brush, rng: Rng) -> None:
    """Pairs on boards, boxes below them, a bench."""
    levels = (0.26, 0.37, 0.48, 0.59)
    _racks(brush, levels, (198, 192, 184))
    for level in levels:
        for x in np.arange(0.19, 0.80, 0.064).tolist():
            _shoe(brush, x, level, 0.045, one_of(LEATHER, rng))
    _table(brush, 0.78, (188, 180, 168))
    for x in np.arange(0.10, 0.86, 0.13).tolist():
        _shoe(brush, x, 0.778, 0.10, one_of(LEATHER, rng))


def _shoe(brush: Brush, x: float, low: float, long: float, colour: Rgb) -> None:
    outline = ((0, 0), (0, 0.50), (0.10, 0.55), (0.30, 0.50), (0.60, 0.26), (0.95, 0.18), (1, 0))
    brush.shape([(x + long * a, low - 0.8 * long * b) for a, b in outline], colour)
    brush.box(x, low - 0.06 * long, x + long, low, shaded(colour, 0.45))


def _glasses(brush: Brush, rng: Rng) -> None:
    """An optician's lit boards, with a mirror."""
    for left in (0.18, 0.42, 0.66):
        brush.box(left, 0.18, left + 0.17, 0.62, (226, 230, 228))
        for row in range(8):
            for column in (0.02, 0.095):
                x, y = left + column, 0.215 + 0.052 * row
                rim = one_of(LEATHER, rng)
                for lens in (0.0, 0.028):
                    brush.oval(x + 0.012 + lens, y, 0.011, 0.009, rim)
                    brush.oval(x + 0.012 + lens, y, 0.007, 0.006, (206, 214, 214))
                brush.box(x + 0.021, y - 0.002, x + 0.031, y, rim)
    _table(brush, 0.76, (172, 176, 178))
    for x in (0.16, 0.44, 0.72):
        brush.oval(x + 0.06, 0.655, 0.050, 0.075, (140, 140, 142))
        brush.oval(x + 0.06, 0.655, 0.043, 0.067, (190, 202, 210))
        brush.box(x + 0.055, 0.73, x + 0.065, 0.76, (120, 120, 122))


def _flowers(brush: Brush, rng: Rng) -> None:
    """Buckets of flowers on steps, and green behind them."""
    for _ in range(150):
        x, y = float(rng.uniform(0.14, 0.86)), float(rng.uniform(0.20, 0.50))
        green = shaded((66, 96, 52), float(rng.uniform(0.6, 1.2)))
        brush.oval(x, y, float(rng.uniform(0.008, 0.028)), float(rng.uniform(0.02, 0.05)), green)
    for level, step in ((0.62, 0.11), (0.76, 0.14), (0.93, 0.17)):
        brush.box(0.08, level, 0.92, level + 0.02, (120, 94, 66))
        for x in np.arange(0.13, 0.88, step).tolist():
            wide = 0.36 * step
            rim, foot = level - 0.07, 0.7 * wide
            pot = [(x - wide, rim), (x + wide, rim), (x + foot, level), (x - foot, level)]
            brush.shape(pot, (126, 130, 132))
            petals = one_of(FLOWERS, rng)
            for k in range(26):
                away = rng.standard_normal(2) * (0.45 * wide, 0.018)
                colour = shaded(petals if k % 3 else (74, 104, 56), float(rng.uniform(0.75, 1.2)))
                brush.oval(x + away[0], level - 0.095 + away[1], 0.011, 0.010, colour)


def _restaurant(brush: Brush, rng: Rng) -> None:
    """Tables laid for dinner, chairs, pictures, and a wine rack."""
    for x in (0.20, 0.62):
        brush.box(x, 0.20, x + 0.17, 0.36, (58, 44, 34))
        brush.box(x + 0.015, 0.215, x + 0.155, 0.345, one_of(CLOTH, rng))
    brush.box(0.42, 0.18, 0.57, 0.60, (60, 42, 30))
    for row in range(8):
        for column in range(5):
            brush.oval(0.437 + 0.029 * column, 0.21 + 0.05 * row, 0.009, 0.013, (96, 30, 38))
    for x, low, size in (
        (0.26, 0.74, 0.8),
        (0.72, 0.72, 0.8),
        (0.2, 0.95, 1.15),
        (0.78, 0.95, 1.15),
    ):
        _dinner(brush, x, low, size)


def _dinner(brush: Brush, x: float, low: float, size: float) -> None:
    """A table with its cloth, glasses and two chairs."""
    wood = (74, 48, 32)
    for side in (-1, 1):
        left, right = x + side * 0.15 * size - 0.025, x + side * 0.15 * size + 0.025
        seat = low - 0.08 * size
        brush.box(left, low - 0.24 * size, right, seat, wood)
        brush.box(left, seat, left + 0.007, low, shaded(wood, 0.85))
        brush.box(right - 0.007, seat, right, low, shaded(wood, 0.85))
    top, wide, end = low - 0.14 * size, 0.115 * size, low - 0.03
    brush.oval(x, top, wide, 0.024 * size, (232, 228, 220))
    cloth = [(x - wide, top), (x + wide, top), (x + 0.8 * wide, end), (x - 0.8 * wide, end)]
    brush.shape(cloth, (204, 200, 192))
    for across in (-0.05, 0.0, 0.05):
        foot = x + across * size
        brush.oval(foot, top - 0.035 * size, 0.010, 0.018, (190, 198, 200))
        brush.box(foot - 0.002, top - 0.02 * size, foot + 0.002, top, (180, 186, 188))


def _bar(brush: Brush, rng: Rng) -> None:
    """Bottles on lit boards, a counter and stools."""
    brush.box(0.18, 0.14, 0.82, 0.58, (92, 60, 36))
    levels = (0.26, 0.38, 0.50)
    for level in levels:
        brush.box(0.20, level - 0.10, 0.80, level, (208, 156, 88))
        for x in np.arange(0.205, 0.79, 0.021).tolist():
            high, glass = float(rng.uniform(0.055, 0.085)), one_of(GLASSWARE, rng)
            brush.box(x, level - 0.65 * high, x + 0.013, level, glass)
            brush.box(x + 0.0045, level - high, x + 0.0085, level, glass)
    _racks(brush, levels, (120, 84, 52))
    brush.box(0.12, 0.66, 0.88, 0.92, (84, 54, 36))
    brush.box(0.10, 0.64, 0.90, 0.665, (60, 38, 26))
    for x in (0.22, 0.38, 0.54, 0.70, 0.82):
        brush.oval(x, 0.735, 0.036, 0.013, (120, 40, 36))
        brush.box(x - 0.004, 0.745, x + 0.004, 0.96, (150, 148, 142))
        brush.oval(x, 0.962, 0.028, 0.007, (110, 108, 104))


def _bakery(brush: Brush, rng: Rng) -> None:
    """Loaves on boards and in baskets."""
    levels = (0.27, 0.39, 0.51)
    brush.box(0.16, 0.15, 0.84, 0.53, (150, 116, 80))
    _racks(brush, levels, (124, 92, 60))
    for level in levels:
        for x in np.arange(0.20, 0.81, 0.055).tolist():
            crust = one_of(BREAD, rng)
            wide = float(rng.uniform(0.020, 0.028))
            brush.oval(x, level - 0.022, wide, 0.022, shaded(crust, 0.7))
            brush.oval(x - 0.003, level - 0.026, 0.85 * wide, 0.017, crust)
            brush.stroke(
                [(x - 0.012, level - 0.02), (x + 0.008, level - 0.036)], (228, 198, 150), 0.005
            )
    _table(brush, 0.76, (140, 104, 70))
    for x in np.arange(0.16, 0.86, 0.17).tolist():
        brush.shape([(x - 0.075, 0.72), (x + 0.075, 0.72), (x + 0.06, 0.765), (x - 0.06, 0.765)],
                    (112, 76, 44))  # fmt: skip
        for k in range(7):
            at = x - 0.055 + 0.018 * k
            brush.oval(at, 0.71 - 0.012 * (k % 2), 0.018, 0.016, one_of(BREAD, rng))


def _lounge(brush: Brush, rng: Rng) -> None:
    """The lobby of a hotel: a desk with keys, armchairs, a standing lamp, a carpet."""
    brush.box(0.34, 0.20, 0.66, 0.46, (96, 66, 44))
    for row in range(4):
        for column in range(10):
            brush.box(0.355 + 0.03 * column, 0.22 + 0.058 * row, 0.372 + 0.03 * column,
                      0.262 + 0.058 * row, (56, 38, 26))  # fmt: skip
    brush.box(0.28, 0.50, 0.72, 0.68, (88, 58, 38))
    brush.box(0.26, 0.485, 0.74, 0.505, (196, 186, 170))
    brush.oval(0.5, 0.86, 0.36, 0.09, (128, 48, 44))
    brush.oval(0.5, 0.86, 0.30, 0.07, (148, 66, 54))
    for x in (0.20, 0.80):
        cloth = one_of(CLOTH, rng)
        brush.box(x - 0.09, 0.62, x + 0.09, 0.84, cloth)
        brush.box(x - 0.10, 0.72, x - 0.06, 0.90, shaded(cloth, 0.8))
        brush.box(x + 0.06, 0.72, x + 0.10, 0.90, shaded(cloth, 0.8))
        brush.box(x - 0.06, 0.77, x + 0.06, 0.88, shaded(cloth, 1.2))
    for x in (0.10, 0.90):
        brush.box(x - 0.004, 0.40, x + 0.004, 0.86, (60, 56, 50))
        brush.shape([(x - 0.03, 0.32), (x + 0.03, 0.32), (x + 0.05, 0.42), (x - 0.05, 0.42)],
                    (255, 226, 170))  # fmt: skip


TRADES: Mapping[str, Fill] = {
    "Moda": _clothes,
    "Cafe": _cafe,
    "Books": _books,
    "Shoes": _shoes,
    "Optik": _glasses,
    "Florist": _flowers,
    "Hotel": _lounge,
    "Restaurant": _restaurant,
    "Bar": _bar,
    "Bistro": _cafe,
    "Bakery": _bakery,
    "Tabac": _books,
}
