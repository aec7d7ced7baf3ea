"""A study's folder: made from scenes, readable, editable, and then fixed."""

import json
import stat
from pathlib import Path

import pytest

from paseo.data.scenes.dataset import open_scenes
from paseo.errors import BadFile, BadValue, InputError, MissingData
from paseo.survey.store.answers import Given
from paseo.survey.store.content import read_content
from paseo.survey.study.creating import new_study
from paseo.survey.study.folder import open_study
from paseo.survey.study.settings import StudySettings, Way, settings_text
from paseo.survey.study.texts import AnswerTexts, read_texts, shipped_text
from paseo.vqa.pictures.pictures import Drawing, Layout, pictures
from paseo.vqa.prompts.presentation import wording_in
from paseo.vqa.prompts.prompts import question_text, worded
from paseo.vqa.questions.questions import questions
from studies import Hand, opened_visits, tiny_study
from tiny_scenes import clip_content, picture


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One scene of one's own, with person 2 alone."""
    from paseo.data.scenes.clips import import_clip

    folder = tmp_path_factory.mktemp("clips")
    frames = folder / "film"
    frames.mkdir()
    for number in range(10):
        (frames / f"{number:02}.jpg").write_bytes(picture(20 * number))
    tracks = folder / "tracks.json"
    tracks.write_text(json.dumps(clip_content()))
    import_clip(frames, tracks, folder / "scenes")
    return folder / "scenes"


@pytest.fixture(scope="module")
def made(clips: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "study"
    new_study(folder, clips, per_scene=7, scenes_each=2, seed=5)
    return folder


def test_people_see_the_pictures_that_a_model_gets_byte_for_byte(made: Path, clips: Path) -> None:
    scene = open_scenes(clips).read("yard-1")
    shown = pictures(scene, Layout.FRONT_BEV, Drawing.PASEO)
    study = open_study(made)
    found = [
        study.about_scenes.picture("yard-1", k).read_bytes()
        for k in range(study.scenes["yard-1"].frames)
    ]
    assert found == [each.content for each in shown]


def test_people_read_the_words_that_a_model_gets(made: Path, clips: Path) -> None:
    study, wording = open_study(made).about_scenes, wording_in(clips)
    scene = study.scenes["yard-1"]
    about = wording.about(open_scenes(clips).read("yard-1").timing)
    assert scene.introduction == f"{about.introduction}\n\n{about.pictures['front+bev']}"
    for each in questions("yard-1", scene.people):
        text = worded(study.words.texts[each.kind.key], person=f"person {each.person}")
        assert text == question_text(each, wording)
        assert study.words.guidance[each.kind.guidance] == wording.guidance[each.kind.guidance]


def test_what_was_asked_for_stands_in_the_settings(made: Path) -> None:
    settings = open_study(made).settings
    assert (settings.per_scene, settings.scenes_each, settings.seed) == (7, 2, 5)
    assert "per_scene = 7" in (made / "study.toml").read_text()


def test_the_secret_of_a_study_is_its_own(made: Path, tmp_path: Path, clips: Path) -> None:
    new_study(tmp_path / "other", clips)
    assert open_study(tmp_path / "other").key != open_study(made).key
    assert stat.S_IMODE((made / "secret.key").stat().st_mode) == 0o600


def test_a_folder_that_holds_something_is_left_alone(made: Path, clips: Path) -> None:
    with pytest.raises(BadValue, match="not an empty folder"):
        new_study(made, clips)


def test_numbers_that_make_no_sense_are_refused(tmp_path: Path, clips: Path) -> None:
    with pytest.raises(BadValue, match="per_scene is 0"):
        new_study(tmp_path / "s", clips, per_scene=0)
    with pytest.raises(MissingData):
        open_study(tmp_path / "s")


def test_settings_are_read_as_they_were_written() -> None:
    import tomllib

    odd = StudySettings(format="paseo-study", version=1, title='"q" # \\ é', way=Way.LINKS, links=3)
    read = tomllib.loads(settings_text(odd))
    assert (read["title"], read["way"], read["links"]) == ('"q" # \\ é', "links", 3)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("per_scene = 5", "per_scene = 0"), "per_scene"),
        (("seed = 0", "sede = 0"), "did you mean 'seed'"),
        (('way = "open"', 'way = "links"'), "say how many"),
        (('complete = ""', 'complete = "A&B"'), "complete"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, change: tuple[str, str], words: str) -> None:
    folder = tiny_study(tmp_path / "s").folder
    file = folder / "study.toml"
    text = file.read_text()
    assert change[0] in text
    file.write_text(text.replace(*change))
    with pytest.raises(BadFile, match=words):
        open_study(folder)


def test_a_translation_whose_right_answer_is_no_choice_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "text.toml"
    file.write_text(shipped_text().replace('right = "the robot\'s goal"', 'right = "das Ziel"'))
    with pytest.raises(BadFile, match="das Ziel"):
        read_texts(file, AnswerTexts)


def test_words_may_change_before_the_first_answer_and_not_after_it(tmp_path: Path) -> None:
    study = tiny_study(tmp_path / "s")
    with opened_visits(study, Hand()) as visits:
        visits.people.check_fixed(study.fixed)
        changed = study.folder / "text.toml"
        changed.write_text(changed.read_text().replace("Thank you for", "Thanks for"))
        edited = open_study(study.folder)
        visits.people.check_fixed(edited.fixed)
        person = visits.people.admit("s", None, now=0.0, assign=lambda _: ("a",))
        assert person is not None
        given = Given(scene="a", question="q", option=("x",), on_page=1.0, token="t")
        visits.answers.add(person.number, [given], now=0.0)
        visits.people.check_fixed(edited.fixed)
        with pytest.raises(InputError, match="changed after the first answer"):
            visits.people.check_fixed(study.fixed)
    read_content(edited)
    for name, before, after in (
        ("text.toml", "Thanks", "Many thanks"),
        ("study.toml", "seed = 0", "seed = 1"),
    ):
        file = study.folder / name
        content = file.read_text()
        file.write_text(content.replace(before, after))
        with pytest.raises(InputError, match="changed after the first answer"):
            read_content(open_study(study.folder))
        file.write_text(content)


def test_links_are_told_apart_and_stay_the_same(tmp_path: Path) -> None:
    study = tiny_study(tmp_path / "s", way=Way.LINKS, links=50)
    assert len(set(study.links)) == 50
    assert open_study(study.folder).links == study.links
