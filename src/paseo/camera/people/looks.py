"""How a person of the library looks, as plain values: what is not geometry."""

from enum import StrEnum

import msgspec

from paseo.camera.meshes import Colour


class Weave(StrEnum):
    """Patterns of fabric."""

    PLAIN = "plain"
    DENIM = "denim"
    STRIPE = "stripe"
    PLAID = "plaid"
    KNIT = "knit"
    PRINT = "print"
    DOTS = "dots"
    TWEED = "tweed"
    JERSEY = "jersey"
    LEATHER = "leather"
    RUBBER = "rubber"


class Fabric(msgspec.Struct, frozen=True):
    """A fabric: its pattern and its colours, sRGB from 0 to 1."""

    weave: Weave
    colour: Colour
    second: Colour = (1.0, 1.0, 1.0)
    seed: int = 0


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """Skin, face and hair of a person; colours are sRGB from 0 to 1."""

    seed: int
    skin: Colour
    hair: Colour
    brow: Colour
    iris: Colour
    lips: float  # how much redder than the skin, 0 to 1
    brows: float  # how thick
    years: float  # 0 smooth, 1 wrinkled
    stubble: float  # 0 none, 1 full beard
    grey: float  # share of grey hairs
    freckles: float
    roots: float  # how densely the scalp is covered
    line: tuple[tuple[float, ...], tuple[float, ...]]  # hairline: degrees from the front, metres
