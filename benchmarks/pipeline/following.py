"""Who is who when boxes have no names: true boxes and a detector's, followed by ByteTrack.

Usage: PASEO_DATA=... python benchmarks/pipeline/following.py --detector DIR [--films DIR]
       (needs node, npm and `pip install 'paseo[bags,camera,tracking]'`)

The first 6 seconds of six drives of proof.py, filmed in full light ten times a second. Boxes are
true, or those of a CenterNet that nobody here trained; people are followed from picture to picture
as they are (`in the picture`), and with the robot's own turning and rocking undone by what its
odometry tells. DIR keeps npm's packages; --films keeps pictures and what was detected.
"""

import argparse
import io
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1] / "camera"))

from centernet import Found, detected, install, squares_of
from proof import FORMS, FPS, HEADER, Outcome, agreements, outcomes, placing, row
from shots import films

from filmed import Faults, Filmed, write_drive
from judged import by_overlap, judged
from paseo.camera.renderer import Effort
from paseo.pipeline.drives.drive import Drive
from paseo.pipeline.drives.opening import open_drive
from paseo.pipeline.locating.doubts import Doubts
from paseo.pipeline.locating.names import make_source
from paseo.pipeline.locating.seen import PeopleSource, SeenFrame
from paseo.pipeline.reconstructing import Method, reconstruct
from paseo.report.table import text_table

DRIVES = (
    "mixed_zara", "crossing_hotelsmall", "mixed_eth", "dense_hotelsmall", "against_eth_2",
    "crossing_doublehotel",
)  # fmt: skip
OFTEN, LONGEST = 10.0, 6.0  # pictures a second, seconds
DETECTORS_PX = 5.0  # how far a detector's boxes are taken to be off


class InThePicture:
    """A source whose follower does not know of the camera, and so of no turning."""

    def __init__(self, source: PeopleSource) -> None:
        self._source = source

    def frames(self, drive: Drive) -> Iterator[SeenFrame]:
        """Who is in each frame, in order."""
        blind = SimpleNamespace(odometry=drive.odometry, frame_times=drive.frame_times, camera=None)
        return self._source.frames(blind)


def true_boxes(filmed: Filmed) -> list[Found]:
    return [[(1.0, box) for box in each.values()] for each in filmed.boxes]


def found_boxes(filmed: Filmed, packages: Path, kept: Path | None) -> list[Found]:
    """What the detector finds in each picture, or found when it was asked before."""
    path = kept / f"{filmed.name}-{OFTEN:g}-found.json" if kept else None
    if path and path.exists():
        rows = json.loads(path.read_text())[: len(filmed.times)]
        return [[(score, np.array(box)) for score, box in each] for each in rows]
    pictures = [np.asarray(Image.open(io.BytesIO(each))) for each in filmed.pictures]
    found, _ = detected(packages, pictures, squares_of)
    if path:
        rows = [[(score, box.tolist()) for score, box in each] for each in found]
        path.write_text(json.dumps(rows))
    return found


def followed(
    drives: Sequence[Filmed], boxes: Sequence[list[Found]], box_px: float, *, steadied: bool
) -> list[Outcome]:
    """People as nobody in particular, followed by ByteTrack."""
    parts = []
    for number, (filmed, each) in enumerate(zip(drives, boxes, strict=True)):
        with tempfile.TemporaryDirectory() as temporary:
            bag, lines = Path(temporary) / FORMS[number % 2][1], Path(temporary) / "boxes.txt"
            write_drive(bag, filmed, Faults(seed=100 + number), FORMS[number % 2][0])
            lines.write_text("".join(unnamed(each)))
            source: PeopleSource = make_source(f"mot={lines}")
            source = source if steadied else InThePicture(source)
            method = Method(placing(Doubts(box_px=box_px)))
            found = reconstruct(open_drive(bag), source, method)
        whose = by_overlap(filmed, found)
        parts.append(Outcome(filmed, found, whose, judged(filmed, found, whose)))
    return parts


def unnamed(boxes: Sequence[Found]) -> Iterator[str]:
    """Lines of the MOT Challenge for detections that nobody followed yet."""
    for frame, each in enumerate(boxes, start=1):
        for score, (x0, y0, x1, y1) in each:
            numbers = (x0 + 1, y0 + 1, x1 - x0, y1 - y0, score)
            yield ",".join([f"{frame},-1", *(f"{n:.3f}" for n in numbers), "-1,-1,-1\n"])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--films", type=Path, help="a folder to keep what was filmed in")
    parser.add_argument("--detector", type=Path, required=True, help="to keep npm's packages in")
    options = parser.parse_args()
    problem = install(options.detector)
    if problem:
        print(problem, file=sys.stderr)
        return 1
    drives = films(DRIVES, options.films, OFTEN, effort=Effort(), longest=LONGEST)
    slower = films(DRIVES, options.films, FPS, longest=LONGEST)
    often, seldom = ([true_boxes(each) for each in some] for some in (drives, slower))
    theirs = [found_boxes(each, options.detector, options.films) for each in drives]
    usual = Doubts().box_px
    steadied = followed(drives, theirs, DETECTORS_PX, steadied=True)
    rows = [
        row("true", outcomes(drives, Faults())),
        row("true, followed", followed(drives, often, usual, steadied=True)),
        row("  in the picture", followed(drives, often, usual, steadied=False)),
        row(f"so {FPS:g} times a second", followed(slower, seldom, usual, steadied=True)),
        row("  in the picture", followed(slower, seldom, usual, steadied=False)),
        row("CenterNet's, followed", steadied),
        row("  in the picture", followed(drives, theirs, DETECTORS_PX, steadied=False)),
    ]
    print(f"{len(drives)} drives, {sum(len(each.times) for each in drives)} pictures\n")
    print(text_table(HEADER, rows), flush=True)
    agreements("CenterNet's boxes, followed", steadied)
    return 0


if __name__ == "__main__":
    sys.exit(main())
