"""An exam read back with its scenes and people's answers, whatever of them is there."""

from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest

from exams import Answering
from paseo.errors import BadFile, InputError, MissingData
from paseo.vqa.exam.transcript import Said, State, Transcript, TranscriptEntry, transcript
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.questions import question
from shown_exams import BAD, IDS, change_plan, put

ASKED = question("s1", "q_goal_position_begin")
AHEAD, LEFT = ("ahead",), ("to the left",)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return put(tmp_path_factory.mktemp("exam"))


@pytest.fixture(scope="module")
def whole(folder: Path) -> Transcript:
    return transcript(folder)


def entry(*answers: Answer | None, **votes: int) -> TranscriptEntry:
    options = {"ahead": AHEAD, "left": LEFT}
    said = tuple(Said(k, answer) for k, answer in enumerate(answers))
    return TranscriptEntry(
        question=ASKED, said=said, votes={options[k]: n for k, n in votes.items()}
    )


def test_a_question_agrees_with_the_most_common_answer_and_with_each_of_equals() -> None:
    assert entry(Answer(option=AHEAD), ahead=3, left=2).states == (State.AGREES,)
    assert entry(Answer(option=LEFT), ahead=3, left=2).states == (State.DIFFERS,)
    assert entry(Answer(option=LEFT), ahead=2, left=2).states == (State.AGREES,)
    assert entry(Answer(option=("to the right",)), ahead=2).states == (State.DIFFERS,)


def test_what_cannot_be_read_neither_agrees_nor_differs() -> None:
    assert entry(Answer(option=None, problem="?"), ahead=3).states == (State.INVALID,)
    assert entry(None, ahead=3).states == (State.FAILED,)
    assert entry(ahead=3).states == (State.OPEN,)


def test_without_votes_nothing_is_compared() -> None:
    assert entry(Answer(option=AHEAD)).states == ()
    assert entry(Answer(option=AHEAD, tolerant=True)).states == (State.TOLERANT,)


def test_repeats_may_differ() -> None:
    both = entry(Answer(option=AHEAD), Answer(option=LEFT), None, ahead=3)
    assert both.states == (State.AGREES, State.DIFFERS, State.FAILED)


def test_every_question_of_the_plan_is_there_with_what_came_of_it(whole: Transcript) -> None:
    assert len(whole.entries) == 3 * (3 + 12 * 2)
    counts = {state: whole.count(state) for state in State}
    assert counts == {
        State.AGREES: 69,
        State.DIFFERS: 6,  # one action of each scene, and one question on which most said no
        State.INVALID: 3,
        State.TOLERANT: 6,  # one in a fence, one that is no list
        State.FAILED: 3,
        State.OPEN: 0,
    }
    (invalid,) = [
        each
        for each in whole.entries
        if (each.question.scene, each.question.key) == ("yard-2", "q_person_action_p1")
    ]
    (said,) = invalid.said
    reply = whole.requests[said.request].reply
    assert reply is not None
    assert reply.text == BAD
    assert whole.notes == ()


def test_an_exam_that_runs_can_be_read(tmp_path: Path) -> None:
    folder = put(tmp_path, ids=IDS[:1])
    exam = transcript(folder)
    assert exam.count(State.OPEN) == 54
    assert exam.notes[0].startswith("54 of 81 answers have not been given yet")


def test_scenes_that_are_gone_are_said_to_be_and_may_be_named(folder: Path, tmp_path: Path) -> None:
    moved = put(tmp_path)
    change_plan(moved, source=str(tmp_path / "gone"))
    exam = transcript(moved)
    assert (exam.scenes, exam.labels) == (None, None)
    assert "no pictures; say where the scenes are now" in exam.notes[0]
    assert "nothing is scored" in exam.notes[1]
    assert exam.count(State.DIFFERS) == 0
    named = transcript(moved, scenes=folder.parent / "scenes")
    assert named.notes == ()
    assert named.count(State.DIFFERS) == 6


def test_labels_that_are_broken_are_named(tmp_path: Path) -> None:
    folder = put(tmp_path, ids=())
    for id in IDS:
        (tmp_path / "scenes" / "human_labels" / id / "common_answers.json").write_text("{")
    exam = transcript(folder)
    assert exam.labels is None
    assert "no scene's labels can be read" in exam.notes[1]
    assert "nothing is scored" in exam.notes[2]


def test_a_folder_that_is_named_must_be_right(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="is no folder, expected a SocialNav-SUB"):
        transcript(folder, scenes=tmp_path / "none")
    with pytest.raises(MissingData, match="expected people's answers"):
        transcript(folder, labels=tmp_path / "none")
    with pytest.raises(InputError, match="holds no exam"):
        transcript(tmp_path)


def test_words_that_were_not_asked_are_never_taken_for_those_that_were(tmp_path: Path) -> None:
    folder = put(tmp_path, ids=IDS[:1])
    change_plan(folder, wording="dataset", wording_hash="0123")
    exam = transcript(folder)
    assert not exam.as_asked
    assert "are shown in those of Paseo, and prompts are not shown" in exam.notes[-1]


def test_of_replies_to_changed_scenes_only_what_they_show_together_is_kept(tmp_path: Path) -> None:
    folder = put(tmp_path, Answering(), ids=IDS[:1])
    with closing(connect(folder / "replies.sqlite")) as db, db:
        db.execute("UPDATE replies SET variant = 'mirror' WHERE questions LIKE '%goal%'")
    change_plan(folder, variants=["", "mirror"])
    exam = transcript(folder)
    assert len(exam.requests) == 25
    assert exam.notes[-1].startswith("Of 2 replies to changed scenes (probes) only")
    assert [(each.name, each.unpaired) for each in exam.probes] == [("mirror", 27)]


def test_a_plan_of_another_paseo_is_refused(tmp_path: Path) -> None:
    folder = put(tmp_path, ids=IDS[:1])
    change_plan(folder, images="hologram")
    with pytest.raises(BadFile, match="exam.json: is damaged .*hologram"):
        transcript(folder)
