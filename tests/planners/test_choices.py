import hashlib
import sys
from pathlib import Path

import pytest

from paseo.errors import BadFile, BadValue, InputError
from paseo.planners.choices import PlannerChoice, make_planner, parse_planners
from paseo.planners.names import PLANNERS, is_reference, planner_hash
from paseo.planners.straight import Straight
from paseo.registry.modules import forget_files

METHODS = """
    def begin(self, briefing): pass
    def plan(self, observation): pass
"""
GOOD = (
    """
from dataclasses import dataclass

@dataclass
class A:
    k: int = 0
    gain: float | None = 1.0
    wide: bool = False
    name: str = ""
"""
    + METHODS
)


def planner(folder: Path, text: str, name: str = "A") -> str:
    """A planner's file, and how to name the class in it."""
    file = folder / f"file{len(list(folder.iterdir()))}.py"
    file.write_text(text)
    return f"{file}:{name}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("straight", [("straight", {})]),
        ("straight:speed=0.8", [("straight", {"speed": "0.8"})]),
        ("a.py:A", [("a.py:A", {})]),
        ("a.py:A:k=1:l=2", [("a.py:A", {"k": "1", "l": "2"})]),
        ("my.module:A:k=1", [("my.module:A", {"k": "1"})]),
        ("straight:speed=", [("straight", {"speed": ""})]),
        ("a.py:A:formula=x=y", [("a.py:A", {"formula": "x=y"})]),
        ("stop, straight:speed=1", [("stop", {}), ("straight", {"speed": "1"})]),
        (
            "straight:speed=1,straight:speed=2",
            [("straight", {"speed": "1"}), ("straight", {"speed": "2"})],
        ),
    ],
)
def test_planners_are_named_with_their_parameters(
    text: str, expected: list[tuple[str, dict[str, str]]]
) -> None:
    assert [(c.reference, c.parameters) for c in parse_planners(text)] == expected


def test_a_label_is_what_was_typed() -> None:
    assert [c.label for c in parse_planners("a.py:A:l=2:k=1,stop")] == ["a.py:A:l=2:k=1", "stop"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the name is missing"),
        ("straight,,stop", "the name is missing"),
        ("a.py:A:k=1:oops", "'oops' is no parameter, expected key=value"),
        ("a.py:A:k=1:k=2", "'k' is given twice"),
        ("stop,straight,stop", "'stop' is named twice"),
    ],
)
def test_what_is_no_list_of_planners_is_refused(text: str, problem: str) -> None:
    with pytest.raises(BadValue, match=problem):
        parse_planners(text)


def test_shipped_planners_are_found_by_name() -> None:
    assert PLANNERS.find("straight") is Straight
    assert list(PLANNERS.targets()) == sorted(PLANNERS.targets())
    assert {"stop", "straight"} <= set(PLANNERS.targets())


def test_a_reference_is_known_by_name_but_is_no_planner() -> None:
    assert "human" in PLANNERS.targets()
    assert is_reference("human") and is_reference(PLANNERS.targets()["human"])
    assert not is_reference("straight")
    assert not is_reference("no/such/file.py:Human"), "files are not looked into"


@pytest.mark.parametrize(
    ("reference", "sentence"),
    [
        ("strait", "no planner is called 'strait'. Did you mean 'straight'?"),
        ("xyzzy", "no planner is called 'xyzzy'. Known: "),
        ("straight:speed", "no planner is called 'straight:speed'. Did you mean 'straight'?"),
        ("nowhere.at_all:A", "no planner is called 'nowhere.at_all:A'"),
        ("paseo.planners.stop:Stopp", "class in paseo.planners.stop is called 'Stopp'. Did you"),
        ("my.py", "which class? Write my.py:ClassName"),
        ("my.py:A", "planner file my.py: no such file; check the path"),
        (":A", "cannot be imported"),
    ],
)
def test_an_unknown_planner_is_refused_with_a_hint(reference: str, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        PLANNERS.find(reference)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (GOOD.replace("class A", "class Aa"), "is called 'A'. Did you mean 'Aa'?"),
        ("A = 3", "A is no class"),
        ("class A:\n    def begin(self, briefing): pass", "A has no method plan()"),
        ("class A:\n    plan = print", "A has no method begin()"),
        (GOOD + "    control = 'sideways'", "control is 'sideways', expected the mode"),
        ("import no_such_package", "No module named 'no_such_package'; install it"),
        ("1 / 0", "cannot be imported (ZeroDivisionError: division by zero)"),
        ("class A(", "cannot be imported (SyntaxError: "),
        ("import sys; sys.exit(0)", "cannot be imported (SystemExit: 0)"),
    ],
)
def test_a_file_without_a_planner_is_refused_in_one_sentence(
    tmp_path: Path, text: str, sentence: str
) -> None:
    reference = planner(tmp_path, text)
    with pytest.raises(InputError) as error:
        PLANNERS.find(reference)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)
    assert Path(reference.rpartition(":")[0]).name in str(error.value)


def test_a_file_that_failed_to_import_can_be_mended_and_tried_again(tmp_path: Path) -> None:
    reference = planner(tmp_path, "1 / 0")
    with pytest.raises(BadValue):
        PLANNERS.find(reference)
    Path(reference.rpartition(":")[0]).write_text(GOOD)
    assert PLANNERS.find(reference).__name__ == "A"


def test_files_of_the_same_name_in_different_folders_do_not_mix(tmp_path: Path) -> None:
    for name, k in (("left", 1), ("right", 2)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "p.py").write_text(GOOD.replace("k: int = 0", f"k: int = {k}"))
    made = [make_planner(PlannerChoice(f"{tmp_path / n}/p.py:A")) for n in ("left", "right")]
    assert [each.k for each in made] == [1, 2]


def test_forgotten_files_are_imported_afresh_with_those_beside_them(tmp_path: Path) -> None:
    for name, k in (("left", 1), ("right", 2)):
        (tmp_path / name / "beside").mkdir(parents=True)
        (tmp_path / name / "beside/__init__.py").write_text("")
        (tmp_path / name / "beside/numbers.py").write_text(f"seen = [{k}]\n")
        text = "from beside.numbers import seen\nclass A:\n    seen = seen\n" + METHODS
        (tmp_path / name / "p.py").write_text(text)
    before, path = set(sys.modules), list(sys.path)
    for name, k in (("left", 1), ("right", 2), ("left", 1)):
        forget_files()
        seen = make_planner(PlannerChoice(f"{tmp_path / name}/p.py:A")).seen
        assert seen == [k]
        seen.append(0)
    forget_files()
    assert set(sys.modules) <= before
    assert set(sys.path) <= set(path)


def test_parameters_are_read_as_the_declared_types(tmp_path: Path) -> None:
    reference = planner(tmp_path, GOOD)
    given = {"k": "2", "gain": "null", "wide": "true", "name": "7"}
    made = make_planner(PlannerChoice(reference, given))
    assert (made.k, made.gain, made.wide, made.name) == (2, None, True, "7")
    assert make_planner(PlannerChoice(reference, {"gain": "2"})).gain == 2.0


def test_an_undeclared_parameter_has_the_type_of_its_default(tmp_path: Path) -> None:
    text = "class A:\n    def __init__(self, k=1.0, word=None): self.got = k, word\n" + METHODS
    made = make_planner(PlannerChoice(planner(tmp_path, text), {"k": "2", "word": "3"}))
    assert made.got == (2.0, "3")


def test_other_parameters_may_have_types_that_exist_for_the_type_checker_only(
    tmp_path: Path,
) -> None:
    text = (
        "from __future__ import annotations\n"
        "class A:\n    def __init__(self, grid: NDArray = None, k: float = 1): self.k = k\n"
    )
    reference = planner(tmp_path, text + METHODS)
    assert make_planner(PlannerChoice(reference, {"k": "2"})).k == 2.0
    with pytest.raises(BadValue, match="grid=1: name 'NDArray' is not defined"):
        make_planner(PlannerChoice(reference, {"grid": "1"}))


@pytest.mark.parametrize(
    ("choice", "sentence"),
    [
        (
            ("straight", {"sped": "1"}),
            "no parameter of planner 'straight' is called 'sped'. Did you",
        ),
        (("stop", {"k": "1"}), "no parameter of planner 'stop' is called 'k'. Known: none."),
        (
            ("straight", {"speed": "fast"}),
            "planner 'straight': speed=fast: Expected `float | null`",
        ),
        (("straight", {"speed": ""}), "planner 'straight': speed=: Expected"),
    ],
)
def test_wrong_parameters_are_refused(choice: tuple[str, dict[str, str]], sentence: str) -> None:
    with pytest.raises(InputError) as error:
        make_planner(PlannerChoice(*choice))
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("raise OSError('no model\\nfile')", "cannot be made (OSError: no model file)"),
        ("raise SystemExit(0)", "cannot be made (SystemExit: 0)"),
    ],
)
def test_a_planner_that_cannot_be_made_says_why(tmp_path: Path, body: str, sentence: str) -> None:
    text = f"class A:\n    def __init__(self): {body}\n" + METHODS
    with pytest.raises(BadValue) as error:
        make_planner(PlannerChoice(planner(tmp_path, text)))
    assert sentence in str(error.value)


def test_a_missing_argument_is_the_planners_to_ask_for(tmp_path: Path) -> None:
    text = "class A:\n    def __init__(self, model: str): pass\n" + METHODS
    with pytest.raises(BadValue, match=r"cannot be made .*missing 1 required .*'model'"):
        make_planner(PlannerChoice(planner(tmp_path, text)))


def test_what_a_planner_prints_when_made_is_talk_not_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "print('importing')\nclass A:\n    def __init__(self): print('making')\n" + METHODS
    make_planner(PlannerChoice(planner(tmp_path, text)))
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "importing\nmaking\n")


def test_planners_of_installed_packages_are_found_by_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "others_planners.py").write_text(GOOD)
    info = tmp_path / "others-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[paseo.planners]\nother = others_planners:A\n"
        "extra = others_planners:A [gpu]\nstop = others_planners:A\nbroken = others_gone:A\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert PLANNERS.targets()["other"] == "others_planners:A"
    assert PLANNERS.find("other").__name__ == PLANNERS.find("extra").__name__ == "A"
    assert make_planner(PlannerChoice("other", {"k": "3"})).k == 3
    assert PLANNERS.find("stop").__module__ == "paseo.planners.stop", "ours cannot be replaced"
    with pytest.raises(BadValue, match="'broken': No module named 'others_gone'; install it"):
        PLANNERS.find("broken")
    assert planner_hash("other") == ""


def test_the_hash_of_a_planner_is_that_of_its_file(tmp_path: Path) -> None:
    reference = planner(tmp_path, GOOD)
    assert planner_hash(reference) == hashlib.sha256(GOOD.encode()).hexdigest()
    assert planner_hash("straight") == planner_hash("my.module:A") == ""
    with pytest.raises(BadFile, match="cannot be read"):
        planner_hash(f"{tmp_path / 'gone.py'}:A")


def test_a_word_that_is_not_allowed_is_answered_by_those_that_are() -> None:
    with pytest.raises(BadValue, match="weights=x: .* expected no-rules or rotate-right"):
        make_planner(*parse_planners("sacadrl:weights=x"))
