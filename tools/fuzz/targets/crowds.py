"""Recordings of people in every format, crowds that were imported, and recipes."""

import gzip
import io
import json
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from fuzz import oracles
from fuzz.target import Example, Target
from fuzz.targets.maps import MAPS
from fuzz.targets.runs import ROOM, people_csv

AFFINE = np.array([[0.02, 0.0, 0.0], [0.0, 0.02, 0.0]])
RECIPE = """\
format = "paseo-recipe"
version = 1
name = "a few"
map = "room.txt"
radius_m = 0.2

[[gates]]
name = "west"
x_m = 0.6
y_m = 6.0
width_m = 0.8

[[gates]]
name = "east"
x_m = 9.4
y_m = 6.0

[[flows]]
origin = "west"
destination = "east"
people_per_minute = 40.0

[[stays]]
habit = "talk"
x_m = 7.0
y_m = 2.0
visits_per_minute = 6.0
duration_s = 2.0
sizes = [0.2, 0.8]

[groups]
sizes = [0.6, 0.4]

[speeds]
mean_mps = 1.2
"""


def _rows() -> list[tuple[int, int, float, float]]:
    found = []
    for line in people_csv().splitlines()[1:]:
        frame, person, x, y = line.split(",")
        found.append((int(frame), int(person), float(x), float(y)))
    return found


def make_recordings(folder: Path) -> None:
    """The same people in every format, packed and unpacked."""
    rows = _rows()
    (folder / "people.csv").write_text(people_csv())
    (folder / "room.txt").write_text(ROOM)
    (folder / "people.csv.gz").write_bytes(gzip.compress(people_csv().encode(), mtime=0))
    obsmat = [f"{f:.7e} {p:.7e} {x:.7e} 0.0 {y:.7e} 0.1 0.0 0.0" for f, p, x, y in rows]
    (folder / "obsmat.txt").write_text("\n".join(obsmat) + "\n")
    (folder / "people.vsp").write_text(_vsp(rows))
    columns = zip(*((f, p, y, x) for f, p, x, y in rows), strict=True)
    (folder / "socnavbench.csv").write_text(
        "\n".join(",".join(map(str, column)) for column in columns) + "\n"
    )
    lines: list[dict[str, Any]] = [{"scene": {"id": 0, "p": 1, "s": 0, "e": 38, "fps": 5.0}}]
    lines += [{"track": {"f": f, "p": p, "x": x, "y": y}} for f, p, x, y in rows]
    (folder / "people.ndjson").write_text("\n".join(map(json.dumps, lines)) + "\n")
    (folder / "groups.json").write_text(json.dumps({"groups": [[1, 2]]}))
    (folder / "groups.txt").write_text("2\n1 2\n3\n")
    with zipfile.ZipFile(folder / "people.zip", "w") as archive:
        archive.writestr(zipfile.ZipInfo("in/people.csv"), people_csv())
    _write_tar(folder / "people.tar.gz")


def _write_tar(path: Path) -> None:
    content, packed = people_csv().encode(), io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        member = tarfile.TarInfo("in/people.csv")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    path.write_bytes(gzip.compress(packed.getvalue(), mtime=0))


def _vsp(rows: list[tuple[int, int, float, float]]) -> str:
    people = sorted({row[1] for row in rows})
    lines = [f"{len(people)} - the number of splines"]
    for person in people:
        points = [row for row in rows if row[1] == person]
        lines.append(f"{len(points)} - Num of control points")
        lines += [f"{50 * x:.3f} {50 * y:.3f} {frame} 0.0" for frame, _, x, y in points]
    return "\n".join(lines) + "\n"


def make_crowd(folder: Path) -> None:
    """A data folder with a crowd of one's own, its map and its groups."""
    from paseo import import_recording
    from paseo.crowd_check.reading import ReadingOptions
    from paseo.data.store.locations import DataFolder

    make_recordings(folder)
    import_recording(
        folder / "people.csv",
        "hall",
        reading=ReadingOptions(fps=10.0),
        floorplan=str(folder / "room.txt"),
        groups=folder / "groups.json",
        data=DataFolder(folder / "data"),
    )
    for lock in folder.glob("data/crowds/.*"):
        lock.unlink()


def make_mapped(folder: Path) -> None:
    """Recordings, and maps beside them."""
    make_recordings(folder)
    MAPS.make(folder)


def make_recipe(folder: Path) -> None:
    """A recipe for a room."""
    (folder / "room.txt").write_text(ROOM)
    (folder / "recipe.toml").write_text(RECIPE)


RECORDINGS = Example(name="recordings", make=make_recordings)
CROWD = Example(name="crowd", make=make_crowd)
HALL = "--fps 10 --name hall --data data"
SAMPLE = "--count 1 --min-distance-m 3 --time-limit-s 3"
WROTE = "as CSV and back, the same people are at the same places"


def _checked(name: str, file: str, words: str = "", **reading: Any) -> Target:
    return Target(
        name=f"recording: {name}",
        example=RECORDINGS,
        damaged=(file,),
        command=f"data check {file} --fps 10 {words} --json --data data",
        codes=(0, 1),  # 1: it was read, and something is wrong with the people
        oracle=oracles.recording(file, fps=10.0, **reading),
        told=WROTE,
    )


def _packed(name: str, file: str) -> Target:
    told = "read to the end; what is inside is read as those above"
    return replace(_checked(name, file), oracle=oracles.nothing_more, told=told)


def _crowd(here: Path, aside: Path) -> None:
    """The crowd, stored again in another data folder, is the same."""
    from paseo.data.store.crowds import crowd_floorplan, read_crowd, save_crowd
    from paseo.data.store.locations import DataFolder

    data = here / "data"
    first = DataFolder(data).recording("hall")
    about = read_crowd("hall", data)
    save_crowd(replace_name(about), first, crowd_floorplan("hall", data), aside)
    second = DataFolder(aside).recording("hall")
    oracles.same(replace(first, tracks=()), replace(second, tracks=()), "crowd")
    oracles.same_tracks(first.tracks, second.tracks)
    oracles.same(replace_name(about), read_crowd("hall", aside), "crowd.json")


def replace_name(about: Any) -> Any:
    """The crowd under the name of its folder, by which it is stored again."""
    import msgspec

    return msgspec.structs.replace(about, name="hall")


def _of_crowd(name: str, command: str, **changes: Any) -> Target:
    target = Target(
        name=f"crowd folder: {name}",
        example=CROWD,
        damaged=("data/crowds/hall/*",),
        command=command,
        oracle=_crowd,
        told="stored again in another folder, the crowd is the same",
    )
    return replace(target, **changes)


def _groups(file: str) -> Any:
    def check(here: Path, aside: Path) -> None:
        from paseo.data.recordings.groups import read_groups

        first = read_groups(here / file)
        (aside / "again.json").write_text(json.dumps({"groups": first}))
        oracles.same(first, read_groups(aside / "again.json"), "groups")

    return check


def _imported(file: str) -> Target:
    return Target(
        name=f"groups {Path(file).suffix}: import",
        example=RECORDINGS,
        damaged=(file,),
        command=f"data import people.csv {HALL} --map room.txt --groups {file}",
        oracle=_groups(file),
        told="written and read again, they are the same groups",
    )


def _recipe(path: Path) -> Any:
    from paseo.data.suites.crowd_recipe import read_recipe

    return read_recipe(path)


TARGETS = (
    _checked("csv", "people.csv"),
    _checked("csv.gz", "people.csv.gz"),
    _checked("obsmat", "obsmat.txt", "--format obsmat", format="obsmat"),
    _checked("vsp", "people.vsp", "--transform 0.02,0,0,0,0.02,0", affine=AFFINE, longest_gap=None),
    _checked("SocNavBench", "socnavbench.csv", "--format socnavbench", format="socnavbench"),
    _checked("ndjson", "people.ndjson"),
    _packed("zip", "people.zip"),
    _packed("tar", "people.tar.gz"),
    Target(
        name="recording: import",
        example=RECORDINGS,
        damaged=("people.csv",),
        command=f"data import people.csv {HALL}",
        oracle=oracles.stored_crowd("people.csv", "hall", "data", fps=10.0),
        told="the crowd of that name is what the file says",
    ),
    Target(
        name="recording: realism",
        example=RECORDINGS,
        damaged=("people.csv",),
        command="crowd realism people.csv --fps 10 --json --data data",
        oracle=oracles.recording("people.csv", fps=10.0),
        told=WROTE,
    ),
    _imported("groups.json"),
    _imported("groups.txt"),
    _of_crowd("check", "data check hall --json --data data", codes=(0, 1)),
    _of_crowd("sample", f"data sample hall {SAMPLE} --out OUT/suite.toml --data data"),
    _of_crowd(
        "list",
        "data list --data data",
        oracle=oracles.nothing_more,
        told="read to the end; a crowd that cannot be used is listed with why",
    ),
    Target(
        name="recipe",
        example=Example(name="recipe", make=make_recipe),
        damaged=("recipe.toml",),
        command="crowd generate room.txt --recipe recipe.toml --duration-s 1 --out OUT/crowd.csv",
        oracle=oracles.settings(_recipe, "recipe.toml"),
        told="written as JSON and read again, it is the same",
    ),
    Target(
        name="map of a recording",
        example=Example(
            name="mapped", make=lambda folder: (make_recordings(folder), MAPS.make(folder))[0]
        ),
        damaged=("plan.json",),
        command="data check people.csv --fps 10 --map plan.json --json --data data",
        codes=(0, 1),
        oracle=oracles.floorplan("plan.json"),
        told="in the vector format and back, free space, places and names are the same",
    ),
)
