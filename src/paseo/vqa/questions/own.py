"""Questions of one's own: a file of them, checked, and where a folder of scenes keeps it."""

import re
from pathlib import Path

import msgspec
import tomli_w

from paseo.data.settings_file import read_settings
from paseo.errors import BadFile, BadValue
from paseo.vqa.questions.question_file import MOST_TOGETHER, AskedQuestion, QuestionFile
from paseo.vqa.questions.questions import Catalogue, catalogue_of, shipped

OWN = "own_questions.toml"  # beside the scenes, labels or studies that have some
HEAD = "# What is asked here besides the fifteen questions, or in their place.\n\n"
KEY = re.compile(r"q_[a-z0-9]+(?:_[a-z0-9]+)*")
TAKEN = re.compile(r".*_(?:p[0-9]+|probabilities|n_answers)")  # endings that label files use
CATEGORY = re.compile(r"[a-z][a-z0-9_-]*")
RULE = re.compile(r"[^\0]+\.py:[A-Za-z_][A-Za-z0-9_]*")
PERSON = "{PERSON}"
ALL = "all"  # what scores over every category are called
# The names of the instructions that ship.
GUIDANCE = ("movement", "goal", "affected", "action", "future_affected", "future_action")


def read_questions(path: Path) -> QuestionFile:
    """A file of one's own questions; `BadFile` names the question and what is wrong with it."""
    if path.suffix != ".toml":
        raise BadFile(f"{path}: is no file of questions, expected .toml")
    found = read_settings(path, QuestionFile)
    check_questions(found, str(path))
    return found


def questions_bytes(file: QuestionFile) -> bytes:
    """What is asked as a file, to be kept beside scenes, labels or a study."""
    return (HEAD + tomli_w.dumps(msgspec.to_builtins(file.as_asked))).encode()


def questions_for(folder: Path, named: Path | None = None) -> QuestionFile | None:
    """The questions in a file that is named, else beside scenes or labels; None: the fifteen."""
    if named is not None:
        return read_questions(named)
    return read_questions(folder / OWN) if (folder / OWN).exists() else None


def catalogue_in(folder: Path) -> Catalogue:
    """What is asked about the scenes of a folder."""
    return asked_in(questions_for(folder))


def asked_in(own: QuestionFile | None) -> Catalogue:
    """What a file asks; without one, the fifteen."""
    return shipped() if own is None else catalogue_of(own)


def check_questions(file: QuestionFile, where: str) -> None:
    """Refuse a file whose questions cannot be put; `where` begins the sentence."""
    keys: set[str] = set()
    try:
        for each in file.question:
            if each.key in keys:
                raise BadValue(f"{each.key}: is there twice; give one of them another key")
            keys.add(each.key)
            _check_words(each)
            _check_choices(each)
        _check_guidance(file)
        known = keys | (shipped().kinds.keys() if file.with_shipped else set())
        for each in file.question:
            _check_names(each, file, known)
        _ = file.ordered  # or they build on each other
    except BadValue as error:
        raise BadFile(f"{where}: {error}") from error


def _check_words(each: AskedQuestion) -> None:
    key = each.key
    if not KEY.fullmatch(key) or TAKEN.fullmatch(key):
        raise BadValue(
            f"{key}: is no key, expected q_ and small letters, digits and '_', such as "
            "q_close_call, with no _p1, _probabilities or _n_answers at its end"
        )
    if key in shipped().kinds:
        raise BadValue(f"{key}: is the key of a question that ships; take another")
    if not CATEGORY.fullmatch(each.category) or each.category == ALL:
        raise BadValue(
            f"{key}: category '{each.category}' is none, expected small letters, digits, '_' and "
            f"'-', such as social or etiquette, and not '{ALL}'"
        )
    if not each.text.isprintable() or not each.text.strip():
        raise BadValue(f"{key}: its text has signs that cannot be seen, expected one line of words")
    if each.about_person and PERSON not in each.text:
        raise BadValue(f"{key}: is about a person, but its text has no {PERSON}; write it there")
    if not each.about_person and PERSON in each.text:
        raise BadValue(
            f"{key}: its text has {PERSON}, but it is about no person; add about_person = true"
        )


def _check_choices(each: AskedQuestion) -> None:
    seen: set[str] = set()
    for choice in each.choices:
        if not choice.isprintable() or choice != choice.strip():
            raise BadValue(
                f"{each.key}: choice {choice!r} has signs that cannot be seen, or a blank at its "
                "end; correct it"
            )
        if choice.casefold() in seen:
            raise BadValue(f"{each.key}: choice '{choice}' is there twice; take one out")
        seen.add(choice.casefold())
    if each.select_many and len(each.choices) > MOST_TOGETHER:
        raise BadValue(
            f"{each.key}: has {len(each.choices)} choices, expected at most {MOST_TOGETHER} where "
            "several may be chosen"
        )


def _check_guidance(file: QuestionFile) -> None:
    for name, text in file.guidance.items():
        if name in GUIDANCE:
            raise BadValue(f"guidance.{name}: is the name of guidance that ships; take another")
        if not all(line.isprintable() for line in text.split("\n")):
            raise BadValue(
                f"guidance.{name}: has signs that cannot be seen, expected lines of words"
            )


def _check_names(each: AskedQuestion, file: QuestionFile, known: set[str]) -> None:
    kinds = {one.key: one.about_person for one in file.question}
    kinds |= {key: kind.about_person for key, kind in shipped().kinds.items()}
    for need in each.needs:
        if need not in known:
            ships = need in shipped().kinds
            what = "which ships, but with_shipped is false" if ships else "which is no question"
            raise BadValue(f"{each.key}: needs '{need}', {what}; correct one of them")
        if kinds[need] and not each.about_person:
            raise BadValue(
                f"{each.key}: is about no person, but needs {need}, which is; take that need out"
            )
    if len(set(each.needs)) < len(each.needs):
        raise BadValue(f"{each.key}: needs the same question twice; take one out")
    names = {*file.guidance, *GUIDANCE}
    if each.guidance and each.guidance not in names:
        raise BadValue(
            f"{each.key}: guidance '{each.guidance}' is nowhere, expected a name in [guidance] or "
            f"one of {', '.join(sorted(names))}"
        )
    if each.rule and not RULE.fullmatch(each.rule):
        raise BadValue(f"{each.key}: rule '{each.rule}' is none, expected FILE.py:NAME")
