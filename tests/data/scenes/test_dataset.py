"""Opening a folder of scenes, whatever it is a folder of."""

from dataclasses import replace
from pathlib import Path

import pytest

from paseo.data.scenes.clips import cut_scene
from paseo.data.scenes.dataset import open_scenes, readable, wording_file
from paseo.data.scenes.scene_file import write_scene
from paseo.errors import InputError, MissingData, UnknownName
from paseo.world.scenes import Scene, Unreadable
from tiny_scenes import write_json


def test_scenes_come_in_the_order_of_the_list_of_the_prompts(dataset: Path) -> None:
    write_json(dataset / "sample_info.json", {"samples": [{"folderpath": "74_Spot_2_0"}]})
    scenes = open_scenes(dataset)
    assert scenes.kind == "socialnav-sub"
    assert scenes.ids == ("33_Spot_45_3", "74_Spot_2_0")
    assert [each.id for each in readable(scenes)] == list(scenes.ids)


@pytest.mark.parametrize("place", ["sample_info.json", "human_labels/sample_info.json"])
def test_the_list_may_lie_elsewhere(place: str, dataset: Path) -> None:
    (dataset / "human_labels").mkdir()
    (dataset / "prompts/sample_info.json").rename(dataset / place)
    assert len([each for each in readable(open_scenes(dataset)) if isinstance(each, Scene)]) == 2


def test_an_unknown_scene_suggests_one_that_is_there(dataset: Path) -> None:
    with pytest.raises(UnknownName, match="no scene is called '74_Spot_2'. Did you mean '74_Spot_"):
        open_scenes(dataset).read("74_Spot_2")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [("{", "is no JSON"), ('{"samples": 3}', "samples: expected `array`, got `int`")],
)
def test_a_bad_list_is_told(content: str, sentence: str, dataset: Path) -> None:
    (dataset / "prompts/sample_info.json").write_text(content)
    with pytest.raises(InputError, match=sentence):
        open_scenes(dataset)


def test_imported_clips_are_scenes_of_the_same_kind(clip: Path, tmp_path: Path) -> None:
    cut = cut_scene(clip / "pictures", clip / "tracks.json").scene
    for id in ("b", "a"):
        write_scene(replace(cut, id=id), tmp_path / "scenes")
    (tmp_path / "scenes/.draft.1.part").mkdir()
    (tmp_path / "scenes/.draft.1.part/scene.json").touch()
    scenes = open_scenes(tmp_path / "scenes")
    assert (scenes.kind, scenes.ids) == ("clips", ("a", "b"))
    assert tuple(scenes.read("a").frames) == cut.frames


def test_a_renamed_clip_is_a_defect_and_the_others_go_on(clip: Path, tmp_path: Path) -> None:
    cut = cut_scene(clip / "pictures", clip / "tracks.json").scene
    for id in ("a", "b"):
        write_scene(replace(cut, id=id), tmp_path / "scenes")
    (tmp_path / "scenes/b").rename(tmp_path / "scenes/c")
    good, bad = readable(open_scenes(tmp_path / "scenes"))
    assert isinstance(good, Scene)
    assert isinstance(bad, Unreadable) and "its id is 'b', expected 'c'" in bad.reason
    with pytest.raises(MissingData, match="is one scene, .*; name the folder it lies in"):
        open_scenes(tmp_path / "scenes/a")


def test_a_folder_of_something_else_is_told(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    for folder, what in ((tmp_path, "holds no scenes"), (tmp_path / "none", "is no folder")):
        with pytest.raises(MissingData, match=f"{what}, expected a SocialNav-SUB data set"):
            open_scenes(folder)


def test_the_wording_is_found_in_both_places(tmp_path: Path) -> None:
    assert wording_file(tmp_path) is None
    (tmp_path / "survey_prompt.json").touch()
    assert wording_file(tmp_path) == tmp_path / "survey_prompt.json"
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts/survey_prompt.json").touch()
    assert wording_file(tmp_path) == tmp_path / "prompts/survey_prompt.json"


@pytest.mark.recordings
def test_labels_without_pictures_list_their_scenes_and_tell_what_is_missing(data_dir: Path) -> None:
    scenes = open_scenes(data_dir / "socialnavsub")
    assert len(scenes.ids) == 60
    with pytest.raises(MissingData, match=r"228\.jpg: is not there; get it with `paseo data fetch"):
        scenes.read("33_Spot_45_228")
