"""How many of the camera's people a person detector finds that nobody here trained.

Usage: python benchmarks/camera/detector.py [--packages DIR] [--missed FILE.png] [--only MAP]
       [--quick] (needs `pip install 'paseo[camera]'`, node and npm)

The detector is the CenterNet (MobileNetV3, COCO) in npm's `@vladmandic/human`, whose weights are
inside the package, run by TensorFlow.js on the processor; npm installs both into DIR, or into a
temporary folder. It takes squares of 512 pixels. A whole picture is squashed into one; beside it
the picture is cut into overlapping tiles that are not: squares of at most 512 pixels, and for what
is larger than these, squares as high as the picture.

Pictures are moments of drives through paseo-33 on all five maps, by two cameras. Whom a pixel
shows is told by the picture's ids; all there is of somebody, by drawing them alone on a sheet that
goes on beyond the picture. Counted are people whose visible part is over 60 pixels high and at
least half of them: the edge of the picture hides as a wall does. Somebody is found by a box of
class person with a score of at least 0.3 that covers them with an intersection over union of more
than 0.4. A false alarm is a box that is nobody's, however small or hidden. Fails below 80 % on
tiles.
"""

import argparse
import math
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from centernet import Box, Found, detected, install, overlap, tiles_of, whole_of
from PIL import Image as Picture
from PIL import ImageDraw

from paseo.camera.gait.steps.footwork import Footwork
from paseo.camera.lens.presets import preset
from paseo.camera.lens.projection import project
from paseo.camera.places.places import open_ground
from paseo.camera.renderer import Effort
from paseo.camera.view import CameraView
from paseo.data.suites.episodes import episode
from paseo.planners.straight import Straight
from paseo.render.staging.playthrough import Playthrough
from paseo.report.table import text_table
from paseo.sim.simulate import simulate
from paseo.world.cameras import Camera
from paseo.world.motion import Pose
from paseo.world.people import Snapshot

WANTED = 0.80
ALIKE = 0.4  # overlap of a box that found somebody
TALL, SEEN = 60, 0.5  # pixels, and the share of somebody that is visible
CAMERAS = ("level", "socialnavsub")
MOMENTS = (0.1, 0.4, 0.7)  # of each drive
EPISODES = {
    "ETH": ("mixed_eth", "against_eth_2", "along_eth"),
    "HotelSmall": ("dense_hotelsmall", "crossing_hotelsmall", "against_hotelsmall"),
    "DoubleHotel": ("around_corner_doublehotel", "crossing_doublehotel", "against_doublehotel"),
    "Univ": ("mixed_univ", "dense_univ", "crossing_univ_1"),
    "Zara": ("mixed_zara", "dense_zara", "past_queue_zara"),
}
BANDS = ((0, 4), (4, 8), (8, 12), (12, math.inf))  # metres
NONE = Effort(shadows=False, smooth_edges=False, occlusion=False)


@dataclass(frozen=True)
class Person:
    """Somebody in a picture."""

    id: int
    box: Box  # of what is visible
    visible: float  # share of all there is of them
    distance: float  # metres

    @property
    def counts(self) -> bool:
        return self.box[3] - self.box[1] > TALL and self.visible >= SEEN


@dataclass(frozen=True)
class Shown:
    """A picture and who is in it."""

    place: str
    camera: str
    rgb: np.ndarray
    people: tuple[Person, ...]


def pictures(only: str | None, moments: Sequence[float]) -> Iterator[Shown]:
    """All pictures; each map's renderer is made once."""
    for place, names in EPISODES.items():
        if only not in (None, place):
            continue
        view = alone = None
        for name in names:
            record = simulate(episode(name), Straight())
            if view is None:
                start = record.scenario.start
                view = CameraView(record.scenario.floorplan, threads=2)
                alone = CameraView(open_ground(start.x, start.y), effort=NONE, threads=2)
            played, footwork = Playthrough(record), view.footwork_of(record)
            for share in moments:
                snapshot = played.at(share * played.end).snapshot
                for camera in CAMERAS:
                    yield shown(place, camera, (view, alone), snapshot, footwork)


def shown(
    place: str,
    camera: str,
    views: tuple[CameraView, CameraView],
    snapshot: Snapshot,
    footwork: Footwork,
) -> Shown:
    image = views[0].render(snapshot, preset(camera), footwork)
    places = dict(zip(snapshot.crowd.ids.tolist(), snapshot.crowd.positions, strict=True))
    here = np.array([snapshot.robot.pose.x, snapshot.robot.pose.y])
    people = []
    for person in np.unique(image.ids[image.ids >= 0]).tolist():
        rows, columns = np.nonzero(image.ids == person)
        box = np.array([columns.min(), rows.min(), columns.max() + 1, rows.max() + 1], float)
        sheet = sheet_around(places[person], preset(camera), snapshot.robot.pose)
        whole = views[1].render(snapshot, sheet, by_themselves(footwork, person))
        there = int((whole.ids == person).sum())
        away = float(np.hypot(*(places[person] - here)))
        people.append(Person(person, box, len(rows) / max(there, 1), away))
    return Shown(place, camera, image.rgb, tuple(people))


def sheet_around(place: np.ndarray, camera: Camera, robot: Pose) -> Camera:
    """The same camera with a sheet around somebody who is there, within the picture or not."""
    half, tall = 0.8, 2.1  # metres that hold anybody
    corners = [
        (place[0] + x, place[1] + y, z)
        for x in (-half, half)
        for y in (-half, half)
        for z in (0, tall)
    ]
    u, v, depth = project(np.array(corners), camera, camera.view(robot)).T
    width, height = camera.width_px, camera.height_px
    left, top, right, bottom = -width, -height, 2 * width, 2 * height
    if depth.min() > 0.1:  # else they are all around the camera
        left, right = max(left, math.floor(u.min())), min(right, math.ceil(u.max()))
        top, bottom = max(top, math.floor(v.min())), min(bottom, math.ceil(v.max()))
    return replace(
        camera,
        width_px=right - left,
        height_px=bottom - top,
        cx=camera.cx - left,
        cy=camera.cy - top,
    )


def by_themselves(footwork: Footwork, person: int) -> Footwork:
    """One person's steps."""
    pairs = zip(footwork.spans, footwork.states, strict=True)
    kept = [pair for pair in pairs if footwork.ids[pair[0].person] == person]
    return replace(
        footwork, spans=tuple(span for span, _ in kept), states=tuple(each for _, each in kept)
    )


def matched(picture: Shown, found: Found) -> tuple[set[int], int]:
    """Who was found, and how many boxes are nobody's; the best box chooses first."""
    taken: set[int] = set()
    alarms = 0
    for _, box in found:
        near = [(overlap(box, each.box), each.id) for each in picture.people]
        free = [pair for pair in near if pair[1] not in taken and pair[0] > ALIKE]
        if free:
            taken.add(max(free)[1])
        elif not any(share > ALIKE for share, _ in near):
            alarms += 1
    return taken, alarms


def wilson(hits: int, count: int) -> str:
    """A share with its interval of 95 %."""
    if not count:
        return "-"
    p, z = hits / count, 1.96
    middle = (p + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(p * (1 - p) / count + z * z / (4 * count * count))
    low, high = (round(100 * max(middle + side * half, 0.0)) for side in (-1, 1))
    return f"{hits}/{count} = {100 * p:.0f} % ({low} to {high})"


def report(shots: Sequence[Shown], ways: dict[str, list[Found]]) -> float:
    """Tables by map, camera and distance; the share found on tiles."""
    results = {
        name: [matched(shot, each) for shot, each in zip(shots, found, strict=True)]
        for name, found in ways.items()
    }

    def row(what: str, chosen: Callable[[Shown, Person], bool]) -> list[str]:
        cells = [what]
        for pairs in results.values():
            counted = [
                person.id in taken
                for shot, (taken, _) in zip(shots, pairs, strict=True)
                for person in shot.people
                if person.counts and chosen(shot, person)
            ]
            cells.append(wilson(sum(counted), len(counted)))
        return cells

    rows = [row(place, lambda shot, _, p=place: shot.place == p) for place in EPISODES]
    rows += [row(camera, lambda shot, _, c=camera: shot.camera == c) for camera in CAMERAS]
    rows += [
        row(f"{low:g} to {high:g} m", lambda _, person, lo=low, hi=high: lo <= person.distance < hi)
        for low, high in BANDS
    ]
    rows.append(row("all", lambda *_: True))
    alarms = [sum(alarm for _, alarm in pairs) / len(shots) for pairs in results.values()]
    rows.append(["false alarms a picture", *(f"{each:.2f}" for each in alarms)])
    print(text_table(["people found", *results], rows))
    counted = [
        person.id in taken
        for shot, (taken, _) in zip(shots, results["tiles"], strict=True)
        for person in shot.people
        if person.counts
    ]
    return sum(counted) / max(len(counted), 1)


def save_missed(path: Path, shots: Sequence[Shown], found: Sequence[Found]) -> None:
    """A sheet of those who were not found, each with their distance."""
    crops = []
    for shot, boxes in zip(shots, found, strict=True):
        taken, _ = matched(shot, boxes)
        for person in shot.people:
            if person.counts and person.id not in taken:
                x0, y0, x1, y1 = person.box
                side = 0.7 * max(y1 - y0, x1 - x0)
                middle = (x0 + x1) / 2, (y0 + y1) / 2
                area = [middle[0] - side, middle[1] - side, middle[0] + side, middle[1] + side]
                crop = Picture.fromarray(shot.rgb).crop(tuple(map(round, area))).resize((180, 180))
                words = f"{shot.place} {shot.camera[:6]} {person.distance:.0f} m"
                ImageDraw.Draw(crop).text((3, 3), words, fill="yellow")
                crops.append(crop)
    columns = 8
    sheet = Picture.new("RGB", (180 * columns, 180 * max(1, -(-len(crops) // columns))))
    for place, crop in enumerate(crops):
        sheet.paste(crop, (180 * (place % columns), 180 * (place // columns)))
    sheet.save(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--packages", type=Path, help="a folder to keep npm's packages in")
    parser.add_argument("--missed", type=Path, help="a picture of those who were not found")
    parser.add_argument("--only", choices=EPISODES, help="one map alone")
    parser.add_argument("--quick", action="store_true", help="one moment of each drive")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.packages or Path(temporary)
        problem = install(folder)
        if problem:
            print(problem)
            return 0
        shots = list(pictures(options.only, MOMENTS[1:2] if options.quick else MOMENTS))
        ways = {}
        for name, cut in (("tiles", tiles_of), ("squashed", whole_of)):
            ways[name], seconds = detected(folder, [shot.rgb for shot in shots], cut)
            print(f"{name}: {seconds:.2f} s a tile")
    share = report(shots, ways)
    if options.missed:
        save_missed(options.missed, shots, ways["tiles"])
    print(f"{100 * share:.0f} % on tiles, at least {100 * WANTED:.0f} % wanted")
    return 0 if share >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
