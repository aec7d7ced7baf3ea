"""Drives: bags of every format, and a folder of pictures with its odometry."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from fuzz import oracles
from fuzz.target import Example, Target


def make_drives(folder: Path) -> None:
    """The same short drive as three bags and as a folder."""
    from fuzz.targets.scenes import picture
    from paseo.camera.lens.presets import preset
    from paseo.pipeline.drives.bags.writing import BagContent, BagFormat, Scan, write_bag
    from paseo.pipeline.drives.drive import Frame, Odometry

    times = np.arange(0, 1.0, 0.1)
    content = BagContent(
        frames=[Frame(k, k / 5, picture(40 * k, "JPEG")) for k in range(5)],
        odometry=Odometry(times=times, poses=np.column_stack([times, 0 * times, 0.1 * times])),
        camera=preset("level"),
        scans=[Scan(time=0.5, ranges=np.full(20, 2.0), first_angle=-1.0, step=0.1)],
    )
    for name, form in (("a.bag", "ros1"), ("b", "ros2"), ("c.mcap", "mcap")):
        write_bag(folder / name, content, BagFormat(form))
    walk = folder / "walk"
    walk.mkdir()
    lines = ["file,time_s"]
    for k in range(5):
        (walk / f"{k}.jpg").write_bytes(picture(40 * k, "JPEG"))
        lines.append(f"{k}.jpg,{k / 5}")
    (walk / "timestamps.csv").write_text("\n".join(lines))
    way = [f"{time},{time},0,0" for time in times]
    (walk / "odometry.csv").write_text("\n".join(["time_s,x_m,y_m,heading_deg", *way]))


def _opened(name: str) -> Callable[[Path, Path], None]:
    """Opened twice, if at all, it is the same drive, with as many pictures as it says."""

    def check(here: Path, aside: Path) -> None:
        from paseo.errors import PaseoError
        from paseo.pipeline.drives.opening import open_drive

        try:
            first, second = (open_drive(here / name) for _ in range(2))
        except PaseoError:
            return  # what a bag tells of itself, it need not hold
        oracles.same(first.odometry, second.odometry, "odometry")
        oracles.same(first.frame_times, second.frame_times, "frame_times")
        oracles.same(first.notes, second.notes, "notes")
        pictures = [list(each.frames()) for each in (first, second)]
        oracles.same(len(first.frame_times), len(pictures[0]), "pictures")
        oracles.same(*pictures, "pictures")

    return check


DRIVES = Example(name="drives", make=make_drives)


def _target(name: str, *damaged: str) -> Target:
    return Target(
        name=f"drive: {name}",
        example=DRIVES,
        damaged=damaged,
        command=f"bag info {name}",
        oracle=_opened(name),
        told="opened twice, if at all, it is the same drive with as many pictures as it says",
    )


def make_reconstructed(folder: Path) -> None:
    """A drive of four seconds as a folder of pictures, and what is known of it."""
    from fuzz.targets.scenes import HEIGHT, WIDTH, picture
    from paseo.pipeline.drives.drive import Odometry
    from paseo.pipeline.locating.seen import Seen, SeenFrame
    from paseo.pipeline.reconstruction import Reconstruction
    from paseo.pipeline.reconstruction_file import save_reconstruction
    from paseo.pipeline.smoothing.tracks import SmoothTrack
    from paseo.world.cameras import level_camera

    times = np.arange(17) / 4
    (folder / "walk").mkdir()
    lines, way = ["file,time_s"], ["time_s,x_m,y_m,heading_deg"]
    for k, time in enumerate(times.tolist()):
        (folder / "walk" / f"{k:02d}.jpg").write_bytes(picture(10 * k))
        lines.append(f"{k:02d}.jpg,{time}")
        way.append(f"{time},{time},0,0")
    (folder / "walk" / "timestamps.csv").write_text("\n".join(lines))
    (folder / "walk" / "odometry.csv").write_text("\n".join(way))
    ones = np.ones(17)
    track = SmoothTrack(
        person=3,
        times=times,
        states=np.column_stack([6 * ones, ones, 0 * ones, 0 * ones]),
        covariances=np.tile(0.01 * np.eye(4), (17, 1, 1)),
        rejected=np.empty(0),
    )
    seen = Seen(person=3, box=(20.0, 5.0, 30.0, 30.0))
    known = Reconstruction(
        name="walk",
        camera=level_camera(WIDTH, HEIGHT, across=1.2),
        odometry=Odometry(times=times, poses=np.column_stack([times, 0 * times, 0 * times])),
        frame_times=times,
        seen={k: SeenFrame(k, (seen,)) for k in range(17)},
        tracks=(track,),
    )
    save_reconstruction(known, folder / "walk.npz")


def make_seen(folder: Path) -> None:
    """A drive, and who is in it by three kinds of results."""
    import json

    import joblib

    from fuzz.targets.scenes import HEIGHT, WIDTH

    make_reconstructed(folder)
    (folder / "camera.toml").write_text(
        f"width_px = {WIDTH}\nheight_px = {HEIGHT}\nfx_px = 31.2\nfy_px = 31.2\ncx_px = 32\n"
        "cy_px = 18\nheight_m = 0.9\n"
    )
    boxes = [(20.0 + k, 8.0, 6.0, 20.0) for k in range(17)]
    lines = [f"{k + 1},3,{','.join(map(str, box))},1" for k, box in enumerate(boxes)]
    (folder / "mot.txt").write_text("\n".join(lines))
    found = [
        {"image_id": k, "bbox": box, "score": 0.9, "track_id": 3} for k, box in enumerate(boxes)
    ]
    (folder / "coco.json").write_text(json.dumps(found))
    results = {
        f"frame_{k:06d}.jpg": {
            "time": k, "tid": [3], "bbox": [np.array(box)], "tracked_time": [0],
            "camera": [np.array([0.0, 0.0, 90.0])], "size": [[HEIGHT, WIDTH]],
        }
        for k, box in enumerate(boxes)
    }  # fmt: skip
    joblib.dump(results, folder / "phalp.pkl", compress=3)


def _written(here: Path, aside: Path) -> None:
    """The tracks that come out can be read, and written again they are the same."""
    from paseo.pipeline.reconstruction_file import load_reconstruction, reconstruction_bytes

    for each in (aside / "tracks.npz", here / "OUT/tracks.npz"):
        if each.exists():
            oracles.same(
                reconstruction_bytes(load_reconstruction(each)), each.read_bytes(), "tracks"
            )


SEEN = Example(name="drive with people", make=make_seen)


def _people(name: str) -> Target:
    kind = name.partition(".")[0]
    return Target(
        name=f"people: {kind}",
        example=SEEN,
        damaged=(name,),
        command=f"bag tracks walk --people {kind}={name} --camera camera.toml --out OUT/tracks.npz",
        oracle=_written,
        told="what comes of it can be read, and written again it is the same",
    )


TARGETS = (
    _people("mot.txt"),
    _people("coco.json"),
    _people("phalp.pkl"),
    Target(
        name="drive: cut",
        example=Example(name="reconstructed drive", make=make_reconstructed),
        damaged=("walk.npz", "walk/*"),
        command="scenes cut walk --tracks walk.npz --out OUT/scenes",
        oracle=oracles.nothing_more,
        told="read to the end, and scenes whose pictures cannot be used are named",
    ),
    _target("a.bag", "a.bag"),
    _target("b", "b/b.db3"),
    _target("c.mcap", "c.mcap"),
    _target("walk", "walk/timestamps.csv", "walk/odometry.csv"),
)
