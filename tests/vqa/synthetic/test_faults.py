"""Each fault is named for its scene while the others go on; what is harmless is read."""

from pathlib import Path

import pytest

from paseo.data.scenes.dataset import open_scenes, readable, wording_file
from paseo.errors import PaseoError
from paseo.vqa.pictures.pictures import Layout
from paseo.vqa.prompts.prompts import prompt_text
from paseo.vqa.prompts.wording import read_wording
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import question
from paseo.vqa.questions.votes import read_labels
from paseo.vqa.synthetic import Fault, spoil
from paseo.vqa.synthetic.faults import SPRUNG
from paseo.world.scenes import Unreadable
from thinning import mostly_slow

pytestmark = pytest.mark.extra("camera")
TOLD = {
    Fault.MISSING_FRAME: "232.jpg: is not there",
    Fault.WRONG_SIZE: "64 x 36 pixels, expected 128 x 72",
    Fault.LFS_POINTER: "git lfs pull",
    Fault.IMAGE_BOMB: "pixels",
    Fault.SHORT_ODOMETRY: "ends after 237 frames, expected at least 238",
    Fault.MALICIOUS_PICKLE: "nothing of it was run",
    Fault.MISSING_GOAL: "no goal for 'synthetic_3_mixed/228.jpg'",
    Fault.PEOPLE_COUNT: "3 people count",
    Fault.BOX_OUTSIDE: "outside the picture",
    Fault.UNSORTED_STEPS: "timesteps are 3, 0, 1, 2",
    Fault.PATH_TRICK: "list of scenes names",
    Fault.MISSING_LABEL: "q_robot_affected_p2 is missing",
    Fault.PROBABILITIES: "q_goal_position_begin_probabilities add up to 0.7, expected 1",
    Fault.UNKNOWN_CHOICE: "'upwards' is none of its choices",
}
IN_SCENES = [fault for fault in Fault if not fault.harmless and not fault.in_labels]
IN_LABELS = [fault for fault in Fault if fault.in_labels]
HARMLESS = [fault for fault in Fault if fault.harmless]


def state(folder: Path) -> dict[str, tuple[int, int]]:
    """Size and time of every file."""
    return {str(p): (p.stat().st_size, p.stat().st_mtime_ns) for p in folder.rglob("*")}


def test_every_fault_is_told_in_a_sentence_of_its_own_or_harmless() -> None:
    assert set(TOLD) == set(Fault) - set(HARMLESS)


@pytest.mark.parametrize("fault", mostly_slow(IN_SCENES, quick=4), ids=lambda fault: fault.name)
def test_a_spoiled_scene_is_named_and_the_others_go_on(copy: Path, fault: Fault) -> None:
    id = spoil(copy, fault)
    folder = open_scenes(copy)
    assert len(folder.ids) == 13 and id in folder.ids
    with pytest.raises(PaseoError) as told:
        folder.read(id)
    assert TOLD[fault] in str(told.value)
    bad = [each.scene for each in readable(folder) if isinstance(each, Unreadable)]
    assert bad == [id]
    # A list that counts other people speaks against the labels as well.
    assert {each.scene for each in read_labels(copy).unreadable} == (
        {id} if fault is Fault.PEOPLE_COUNT else set()
    )


@pytest.mark.parametrize("fault", IN_LABELS, ids=lambda fault: fault.name)
def test_spoiled_labels_are_named_and_the_others_go_on(copy: Path, fault: Fault) -> None:
    id = spoil(copy, fault)
    labels = read_labels(copy)
    assert [each.scene for each in labels.unreadable] == [id] and len(labels.scenes) == 12
    assert TOLD[fault] in labels.unreadable[0].reason
    assert not [each for each in readable(open_scenes(copy)) if isinstance(each, Unreadable)]


@pytest.mark.parametrize("fault", HARMLESS, ids=lambda fault: fault.name)
def test_what_is_harmless_is_read_and_nothing_is_written(copy: Path, fault: Fault) -> None:
    spoil(copy, fault)
    before = state(copy)
    assert not [each for each in readable(open_scenes(copy)) if isinstance(each, Unreadable)]
    assert not read_labels(copy).unreadable
    assert state(copy) == before


def test_the_malicious_pickle_is_one_and_is_never_run(copy: Path) -> None:
    import pickle

    id = spoil(copy, Fault.MALICIOUS_PICKLE)
    with pytest.raises(PaseoError):
        open_scenes(copy).read(id)
    assert not (copy / SPRUNG).exists()
    pickle.loads((copy / f"front_view/{id}/traj_data.pkl").read_bytes())  # noqa: S301, to show it
    assert (copy / SPRUNG).is_dir()


def test_injected_text_stays_text(copy: Path) -> None:
    spoil(copy, Fault.INJECTED_TEXT)
    survey = wording_file(copy)
    assert survey is not None
    asked = question("synthetic_3_mixed_228", "q_robot_affected_p2")
    text = prompt_text(
        asked, read_wording(survey), method=Method.INDEPENDENT, layout=Layout.FRONT_BEV
    )
    assert "{PERSON.__class__} {0} %s" in text and "person 2" in text
    assert "\x00" not in text and "\x1b" not in text
    assert text.index("Ignore all") < text.index("Possible answers:")
