"""Floor plans by name or file, and the shipped maps against what was measured."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from paseo.data.maps.floorplans import (
    LARGEST_TEXT,
    find_floorplan,
    map_file,
    read_floorplan,
    shipped_floorplan,
    shipped_maps,
)
from paseo.errors import BadFile, UnknownName

MAPS = ["DoubleHotel", "ETH", "HotelSmall", "Univ", "Zara"]
SQUARE = "0 0\n2 0\n2 2\n0 2\n"
VECTOR = (
    '{"format": "paseo-floorplan", "version": 1, "name": "hall",'
    ' "outline": [[0, 0], [2, 0], [2, 2], [0, 2]]}'
)
ROS = (
    "image: m.pgm\nresolution: 2\norigin: [0, 0, 0]\nnegate: 0\n"
    "occupied_thresh: 0.65\nfree_thresh: 0.196\n"
)


@pytest.mark.parametrize(
    ("file", "text"),
    [("a.json", VECTOR), ("a.yaml", ROS), ("a.YML", ROS), ("a.txt", SQUARE), ("a.poly", SQUARE)],
)
def test_the_suffix_chooses_the_format(tmp_path, file, text):
    (tmp_path / "m.pgm").write_bytes(b"P5\n1 1\n255\n\xfe")
    (tmp_path / file).write_text(text)
    plan = read_floorplan(tmp_path / file)
    assert plan.area == pytest.approx(4)
    assert plan.name == ("hall" if file == "a.json" else "a")


@pytest.mark.parametrize("name", ["a.svg", "a.svg@0.05"])
def test_another_suffix_is_refused_with_the_four_formats_named(tmp_path, name):
    formats = r"'\.svg' .*\.json .*\.yaml or \.yml .*\.png or \.pgm .*\.txt or \.poly"
    with pytest.raises(BadFile, match=f"{name}: {formats}"):
        read_floorplan(tmp_path / name)


def save_white(path: Path) -> None:
    Image.fromarray(np.full((2, 4), 255, np.uint8)).save(path)


@pytest.mark.parametrize("file", ["hall.png", "hall.PGM", "a@0.05.png", "b.png@home.png"])
@pytest.mark.parametrize(("scale", "corner"), [("@0.5", (0, 0)), ("@0.5,-10,-5", (-10, -5))])
def test_an_image_is_read_with_the_scale_after_its_name(tmp_path, file, scale, corner):
    save_white(tmp_path / file)
    for plan in (read_floorplan(tmp_path / (file + scale)), find_floorplan(file + scale, tmp_path)):
        assert (plan.name, plan.origin) == (Path(file).stem, corner)
        assert plan.area == pytest.approx(2)


@pytest.mark.parametrize("file", ["hall.png", "a@0.05.png", "gone.pgm"])
def test_an_image_without_a_scale_is_answered_with_the_name_to_write(tmp_path, file):
    save_white(tmp_path / "hall.png")
    save_white(tmp_path / "a@0.05.png")
    with pytest.raises(BadFile, match=rf"{file}: an image does not .*; write {file}@0\.05 if"):
        find_floorplan(file, tmp_path)


@pytest.mark.parametrize("scale", ["@", "@x", "@0", "@-1", "@inf", "@1e9", "@0.05,1", "@@0"])
def test_a_bad_scale_is_named_after_the_map(tmp_path, scale):
    save_white(tmp_path / "hall.png")
    with pytest.raises(BadFile, match="expected") as caught:
        find_floorplan(f"hall.png{scale}", tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'hall.png'}{scale}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["hall.jpg@0.05", "hall.JPEG", "hall.jpg"])
def test_jpegs_are_refused_because_they_blur_walls(tmp_path, name):
    with pytest.raises(BadFile, match=r"JPEG blurs the edges of walls, expected \.png or \.pgm"):
        find_floorplan(name, tmp_path)


def test_only_images_take_a_scale(tmp_path):
    (tmp_path / "a.json").write_text(VECTOR)
    with pytest.raises(BadFile, match=r"a \.json file is in metres, expected no @ after its name"):
        find_floorplan("a.json@0.05", tmp_path)


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("hall.png@0.05", "hall.png"),
        ("maps/hall.png@0.05,-10,-5", "maps/hall.png"),
        ("hall.png@", "hall.png"),
        ("hall.png@x", "hall.png"),
        ("a@0.05.png", "a@0.05.png"),
        ("a@0.05.png@0.05", "a@0.05.png"),
        ("me@work.org/hall.json", "me@work.org/hall.json"),
        ("./hall.json", "./hall.json"),
        ("Zara", "Zara"),
        ("", ""),
    ],
)
def test_the_file_of_a_map_is_its_name_without_the_scale(name, file):
    assert map_file(name) == file


def test_a_text_larger_than_any_map_is_refused(tmp_path):
    with (tmp_path / "a.json").open("wb") as file:
        file.truncate(LARGEST_TEXT + 1)
    with pytest.raises(BadFile, match=r"a\.json: holds more than 67108864 bytes, expected less"):
        read_floorplan(tmp_path / "a.json")


@pytest.mark.parametrize("suffix", [".json", ".yaml", ".txt"])
@pytest.mark.parametrize(
    ("data", "problem"),
    [(b"\xff\xfe\x00", "byte 0 is not UTF-8"), (b"", "expected"), (None, "cannot be read")],
)
def test_files_that_cannot_be_used_are_named_in_one_sentence(tmp_path, suffix, data, problem):
    path = tmp_path / f"plan{suffix}"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(BadFile, match=problem) as caught:
        read_floorplan(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "expected" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_byte_order_mark_does_no_harm(tmp_path):
    (tmp_path / "a.json").write_text(VECTOR, encoding="utf-8-sig")
    assert read_floorplan(tmp_path / "a.json").name == "hall"


def test_a_name_finds_the_shipped_map_and_a_path_the_file(tmp_path):
    (tmp_path / "ETH.txt").write_text(SQUARE)
    assert find_floorplan("ETH", tmp_path) is shipped_floorplan("ETH")
    assert find_floorplan("ETH.txt", tmp_path).area == pytest.approx(4)
    assert find_floorplan(str(tmp_path / "ETH.txt"), Path("elsewhere")).name == "ETH"


def test_an_unknown_map_is_answered_with_the_nearest_name(tmp_path):
    for find in (shipped_floorplan, lambda name: find_floorplan(name, tmp_path)):
        with pytest.raises(UnknownName, match=r"'Zarra'\. Did you mean 'Zara'"):
            find("Zarra")
    with pytest.raises(BadFile, match=r"gone\.json: cannot be read"):
        find_floorplan("gone.json", tmp_path)


def test_five_maps_are_shipped_and_each_is_read_once():
    assert shipped_maps() == MAPS
    assert all(shipped_floorplan(name) is shipped_floorplan(name) for name in MAPS)


@pytest.mark.parametrize("name", MAPS)
def test_shipped_maps_say_their_name_and_where_they_come_from(name):
    plan = shipped_floorplan(name)
    assert plan.name == name
    assert bool(plan.inferred) == ("inferred" in plan.source) == (name == "HotelSmall")
    assert ("Measured" in plan.source) == (name != "HotelSmall")


@pytest.mark.parametrize("name", MAPS)
def test_shipped_places_are_clear_of_walls_and_reachable_from_each_other(name):
    plan = shipped_floorplan(name)
    first = plan.places[0]
    reached = plan.reachable_from(first.x, first.y, 0.3)
    assert 4 <= len(plan.places) <= 8
    for place in plan.places:
        assert plan.clearance(place.x, place.y) >= 0.4, place
        assert reached[plan.cell(place.x, place.y)], place
        assert (round(place.x, 1), round(place.y, 1)) == (place.x, place.y)


@pytest.mark.recordings
@pytest.mark.parametrize("name", MAPS)
def test_shipped_maps_agree_with_the_measured_occupancy_grid(name, data_dir):
    plan = shipped_floorplan(name)
    measured = json.loads((data_dir / "maps" / f"{name}.json").read_text())
    picture = np.asarray(Image.open(data_dir / "maps" / f"{name}.png"))[::-1] == 255
    row, column = round(plan.origin[1] / 0.05), round(plan.origin[0] / 0.05)
    ours = np.zeros_like(picture)
    ours[row : row + plan.free.shape[0], column : column + plan.free.shape[1]] = plan.free
    agreement = (ours == picture).mean()
    print(f"{name}: {100 * agreement:.4f} % of {picture.size} cells agree")
    assert agreement > 0.9999
    assert plan.area == pytest.approx(measured["free_area_m2"], abs=0.01)


@pytest.mark.recordings
def test_all_66_starts_and_goals_have_the_clearance_measured_for_them(data_dir):
    episodes = json.loads((data_dir / "episodes.json").read_text())["episodes"]
    checked = 0
    for episode in episodes:
        plan = shipped_floorplan(episode["map"])
        for end in ("start", "goal"):
            pose = episode[f"robot_{end}"]
            clearance = plan.clearance(pose["x"], pose["y"])
            assert clearance > 0
            assert clearance == pytest.approx(episode[f"{end}_clearance_m"], abs=0.01), episode[
                "name"
            ]
            checked += 1
    assert checked == 66
