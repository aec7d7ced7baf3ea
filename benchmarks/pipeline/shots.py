"""Drives that the proof films, and pictures kept between its runs."""

import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "support" / "pipeline"))

from filmed import CAMERA, Filmed, film, unfilmed
from paseo.camera.renderer import Effort
from paseo.camera.view import CameraView
from paseo.data.suites.episodes import episode
from paseo.planners.names import PLANNERS
from paseo.sim.simulate import simulate
from paseo.world.arrays import FloatArray

EPISODES = (
    "mixed_eth", "dense_hotelsmall", "mixed_zara", "mixed_univ", "crossing_doublehotel",
    "against_eth_2", "crossing_hotelsmall", "dense_zara",
)  # fmt: skip
# On these doubts about bodies and what is hidden were chosen; no number is reported of them.
OTHERS = (
    "crossing_eth", "dense_against_eth", "along_hotelsmall", "against_doublehotel", "dense_univ",
    "crossing_univ_2", "crossing_zara_1", "past_queue_zara",
)  # fmt: skip
SEEDS = {name: seed for seed, name in enumerate(EPISODES, 1)} | dict(
    zip(OTHERS, (102, 103, 110, 113, 115, 117, 126, 131), strict=True)
)
PLAIN = Effort(shadows=False, smooth_edges=False, occlusion=False)  # boxes are the same with all


def films(
    names: Sequence[str],
    kept: Path | None,
    fps: float,
    *,
    effort: Effort = PLAIN,
    longest: float = math.inf,
) -> list[Filmed]:
    """The drives, or the first seconds of them, filmed, or as they were kept."""
    found = []
    for name in names:
        record = simulate(episode(name), PLANNERS.find("social-force")())
        light = "lit" if effort.shadows else "plain"
        path = kept / f"{name}-{fps:g}-{light}.npz" if kept else None
        drive = unfilmed(record, camera=CAMERA, fps=fps, seed=SEEDS[name], longest=longest)
        if path and path.exists():
            found.append(with_shots(drive, path))
            continue
        view = CameraView(record.scenario.floorplan, effort=effort, threads=2)
        found.append(film(record, view, fps=fps, seed=SEEDS[name], longest=longest))
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)
            save_shots(found[-1], path)
    return found


def save_shots(filmed: Filmed, path: Path) -> None:
    rows = [[k, p, *box] for k, boxes in enumerate(filmed.boxes) for p, box in boxes.items()]
    lengths = [len(each) for each in filmed.pictures]
    joined = np.frombuffer(b"".join(filmed.pictures), np.uint8)
    np.savez(path, boxes=np.array(rows), lengths=lengths, pictures=joined)


def with_shots(filmed: Filmed, path: Path) -> Filmed:
    held = np.load(path)
    ends = np.cumsum(held["lengths"]).tolist()
    whole = held["pictures"].tobytes()
    pictures = [whole[a:b] for a, b in zip([0, *ends], ends, strict=False)][: len(filmed.times)]
    boxes: list[dict[int, FloatArray]] = [{} for _ in filmed.times]
    for number, person, *box in held["boxes"].tolist():
        if number < len(boxes):
            boxes[int(number)][int(person)] = np.array(box)
    return replace(filmed, pictures=pictures, boxes=boxes)
