"""How colours look to normal and to colour-blind eyes, and how far apart they are."""

import numpy as np

# How strong colour blindness changes linear RGB: Machado, Oliveira and Fernandes (2009), Table 1.
EYES = {
    "usual": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
               [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
               [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
               [0.004733, 0.691367, 0.303900]],
}  # fmt: skip
TO_XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                   [0.0193339, 0.1191920, 0.9503041]])  # fmt: skip
WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(colour: tuple[int, int, int]) -> np.ndarray:
    part = np.array(colour) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def cielab(light: np.ndarray) -> np.ndarray:
    x, y, z = np.cbrt(np.maximum(TO_XYZ @ light / WHITE, 0.008856))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    low, high = sorted(float(TO_XYZ[1] @ linear(each)) for each in (one, other))
    return (high + 0.05) / (low + 0.05)


def seen_by(eyes: str, colour: tuple[int, int, int]) -> np.ndarray:
    """The colour in CIELAB, as these eyes see it."""
    return cielab(np.clip(EYES[eyes] @ linear(colour), 0, 1))
