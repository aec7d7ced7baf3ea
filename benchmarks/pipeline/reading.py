"""How fast and in how little memory a long bag is read.

Usage: python benchmarks/pipeline/reading.py [--mb 300] [--hour] [--format ros1|ros2|mcap]
       [--out DIR] (needs `pip install 'paseo[bags]'`)

Writes a bag of pictures of 1280x720 pixels at 30 a second, odometry at 50 Hz and scans at 10 Hz,
opens it as a drive and decodes every picture, in a process of its own; `--hour` writes one of an
hour, some 10 GB. The ratio is processor time of opening, reading and decoding to that of decoding
alone, in the same run. Fails above a ratio of 1.25, or a peak of 1 GB.
"""

import argparse
import io
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from paseo.camera.lens.presets import preset
from paseo.pipeline.drives.bags.writing import BagContent, BagFormat, Scan, write_bag
from paseo.pipeline.drives.drive import Frame, Odometry
from paseo.pipeline.drives.opening import open_drive

FPS, HOUR = 30, 3600
MOST_RATIO, MOST_MB = 1.25, 1000
NAMES = {"ros1": "drive.bag", "ros2": "drive", "mcap": "drive.mcap"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mb", type=float, default=300)
    parser.add_argument("--hour", action="store_true")
    parser.add_argument("--format", choices=NAMES, default="ros1")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        print(json.dumps(measured(options.read)))
        return 0
    with tempfile.TemporaryDirectory(dir=options.out) as folder:
        bag = Path(folder) / NAMES[options.format]
        pictures = examples()
        size = sum(map(len, pictures)) / len(pictures)
        count = HOUR * FPS if options.hour else int(options.mb * 1e6 / size)
        write_bag(bag, content(pictures, count), BagFormat(options.format))
        command = [sys.executable, __file__, "--read", str(bag)]
        found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        files = [bag] if bag.is_file() else list(bag.iterdir())
        print(f"{options.format}: {count} pictures, {count / FPS:.0f} s, "
              f"{sum(each.stat().st_size for each in files) / 1e6:.0f} MB")  # fmt: skip
    ratio = (found["open_s"] + found["read_s"]) / found["decode_s"]
    print(f"opened in {found['open_s']:.2f} s, read and decoded in {found['read_s']:.2f} s, "
          f"of which decoding {found['decode_s']:.2f} s (processor)")  # fmt: skip
    print(f"ratio {ratio:.2f} (at most {MOST_RATIO}), peak {found['peak_mb']:.0f} MB "
          f"(at most {MOST_MB}), {found['frames']} of {count} pictures")  # fmt: skip
    return int(ratio > MOST_RATIO or found["peak_mb"] > MOST_MB or found["frames"] != count)


def examples(count: int = 30) -> list[bytes]:
    """Pictures about as hard to pack as a street is, some 90 kB each."""
    rng = np.random.default_rng(0)
    made = []
    for _ in range(count):
        small = rng.integers(0, 255, (90, 160, 3), np.uint8)
        image = Image.fromarray(small).resize((1280, 720), Image.Resampling.BICUBIC)
        grain = rng.normal(0, 3, (720, 1280, 3))
        pixels = np.clip(np.asarray(image) + grain, 0, 255).astype(np.uint8)
        buffer = io.BytesIO()
        Image.fromarray(pixels).save(buffer, "JPEG", quality=50)
        made.append(buffer.getvalue())
    return made


def content(pictures: Sequence[bytes], count: int) -> BagContent:
    """A robot that drives in a circle."""
    times = np.arange(0, count / FPS, 0.02)
    turn = 0.05 * times
    poses = np.column_stack([20 * np.sin(turn), 20 - 20 * np.cos(turn), turn])
    return BagContent(
        frames=frames(pictures, count),
        odometry=Odometry(times=times, poses=poses),
        camera=preset("socialnavsub"),
        scans=[
            Scan(time=float(each), ranges=np.full(360, 5.0), first_angle=-1.5, step=3 / 360)
            for each in np.arange(0, count / FPS, 0.1)
        ],
    )


def frames(pictures: Sequence[bytes], count: int) -> Iterator[Frame]:
    for number in range(count):
        yield Frame(number, number / FPS, pictures[number % len(pictures)])


def measured(bag: Path) -> dict[str, float]:
    """Processor seconds and the peak of memory of this process."""
    begin = time.process_time()
    drive = open_drive(bag)
    opened = time.process_time()
    decoding, count = 0.0, 0
    for frame in drive.frames():
        before = time.process_time()
        with Image.open(io.BytesIO(frame.picture)) as image:
            image.load()
        decoding += time.process_time() - before
        count += 1
    return {
        "open_s": opened - begin,
        "read_s": time.process_time() - opened,
        "decode_s": decoding,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
        "frames": count,
    }


if __name__ == "__main__":
    sys.exit(main())
