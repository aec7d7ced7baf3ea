"""People in a text file of the MOT Challenge: detections, tracks, or its ground truth.

A line is: frame, person, left, top, width, height, confidence, and more. Frames and pixels are
counted from 1 (Leal-Taixé et al. 2015, arXiv:1504.01942, section 3.1); a person of -1 is a
detection that nobody followed. Ground truth has nine columns, with a confidence of 0 for what is
to be ignored, and a class.
"""

import math
from collections.abc import Iterator
from pathlib import Path

from paseo.data.textfile import bad_line, text_lines
from paseo.pipeline.drives.drive import Drive
from paseo.pipeline.locating.seen import Box, Seen, SeenFrame
from paseo.pipeline.locating.sources.tracking import followed

COLUMNS = (7, 8, 9, 10)
GROUND_TRUTH = 9  # columns
PEOPLE = (1, 2, 7)  # classes: pedestrian, person on a vehicle, static person
MOST_FRAMES, MOST_PIXELS = 10_000_000, 1e6
EXPECTED = "frame, person, left, top, width, height and confidence, parted by commas"


class Mot:
    """The people of a file; detections without a person are followed by ByteTrack."""

    def __init__(self, file: str) -> None:
        self._path = Path(file)

    def frames(self, drive: Drive) -> Iterator[SeenFrame]:
        """Who is in each frame, in order."""
        found: dict[int, list[Seen]] = {}
        for place, line in enumerate(text_lines(self._path), start=1):
            if line.strip():
                for number, person in _seen(line, self._path, f"line {place}"):
                    found.setdefault(number, []).append(person)
        seen = [SeenFrame(number, tuple(found[number])) for number in sorted(found)]
        known = {each.person >= 0 for frame in seen for each in frame.people}
        if known == {True, False}:
            raise bad_line(
                self._path, "a line", "has a person of -1 while others have one", "all or none"
            )
        yield from followed(seen, drive) if False in known else seen


def _seen(line: str, path: Path, where: str) -> Iterator[tuple[int, Seen]]:
    """The frame and the person of a line; nobody where the ground truth says so."""
    cells = line.replace(",", " ").split()
    if len(cells) not in COLUMNS:
        raise bad_line(path, where, f"has {len(cells)} columns", EXPECTED)
    try:
        numbers = [float(cell) for cell in cells]
    except ValueError as error:
        raise bad_line(path, where, "holds what is no number", EXPECTED) from error
    frame, person, left, top, width, height, sure = numbers[:7]
    possible = all(map(math.isfinite, numbers)) and width > 0 and height > 0
    if not (possible and 1 <= frame <= MOST_FRAMES and frame.is_integer() and -1 <= person < 2**53):
        raise bad_line(path, where, "has a frame, a person or a box that cannot be", EXPECTED)
    box: Box = (left - 1, top - 1, left - 1 + width, top - 1 + height)
    if max(map(abs, box)) > MOST_PIXELS:
        raise bad_line(path, where, "has a box far outside of any picture", EXPECTED)
    is_truth = len(cells) == GROUND_TRUTH
    if is_truth and (sure == 0 or int(numbers[7]) not in PEOPLE):
        return
    confidence = min(max(sure, 0.0), 1.0) if sure >= 0 else 1.0  # -1: it is not told
    yield int(frame) - 1, Seen(person=int(person), box=box, confidence=confidence)
