"""Choices found in free words; whatever may mean two things, or the opposite, is not found."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

from paseo.vqa.questions.questions import QuestionType, kinds

LONGEST_PROSE = 300  # characters; a longer text mentions choices without meaning them
# One verb in the forms a choice may take.
VERBS = (
    ("avoiding", "avoid", "avoids"),
    ("overtaking", "overtake", "overtakes"),
    ("not considering", "not consider"),
    ("following", "follow", "follows"),
    ("yielding to", "yield to", "yields to"),
)
# Words that sound like a choice and are none.
IDIOMS = ("go ahead", "the following", "following the instructions", "following your instructions")
SUBJECTS = {
    "robot": "robot",
    "person": "person",
    "pedestrian": "person",
    "human": "person",
    "goal": "goal",
}
DANGLING = re.compile(r" (?:to|of|from)$")
REFUSALS = frozenset(
    ["sorry", "unable", "cannot", "can't", "unclear", "unsure", "uncertain", "unknown"]
)
NEGATIONS = frozenset(
    [
        *["not", "no", "never", "neither", "nor", "none", "without", "isnt", "doesnt", "dont"],
        *["cant", "nothing", "hardly", "barely", "unlikely", "wrong", "incorrect", "false"],
        *["nobody", "fail", "fails", "failed", "failing"],
    ]
)
FAINT = frozenset(["to", "the", "of", "about", "moving", "not"])  # words that name no choice alone
SIDES = frozenset(["left", "right", "ahead", "straight", "behind"])
DOUBTS = frozenset(["or", "either", "rather", "instead", "unless", "except", "if", "whether"])

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_BETWEEN = re.compile(r"[\s.,;:!\"'`*()\[\]{}_-]*")


def meant(text: str, kind: QuestionType) -> tuple[str, ...]:
    """The choices these few words stand for, in the order of the choices; empty if unclear."""
    words = _words(text)
    if words is None:
        return ()
    named = _choices_by_form(kind).get(" ".join(words)) or _whole_of(words, kind)
    if named:
        return (named,)
    if len(text) > LONGEST_PROSE:
        return ()
    return _yes_or_no(text, words) if set(kind.choices) == {"yes", "no"} else _said(words, kind)


def _whole_of(words: list[str], kind: QuestionType) -> str:
    """The only choice these words are a part of, such as "left" for "to the left of".

    "considering" is no part of "not considering": what is left out must not turn it round.
    """
    if not words or FAINT.issuperset(words):
        return ""
    part = f" {' '.join(words)} "
    plain = {choice: f" {_plain(choice)} " for choice in kind.choices}
    found = [choice for choice in kind.choices if part in plain[choice]]
    left_out = plain[found[0]].replace(part, " ").split() if len(found) == 1 else ["no"]
    return found[0] if NEGATIONS.isdisjoint(left_out) else ""


def _words(text: str) -> list[str] | None:
    """The words in small letters; None if there is anything but plain words and punctuation."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate({0x2019: "'", 0x2018: "'"})
    plain = plain.translate({0x201C: '"', 0x201D: '"'})
    if not plain.isascii() or not all(_BETWEEN.fullmatch(gap) for gap in _WORD.split(plain)):
        return None
    return _WORD.findall(plain)


@cache
def _plain(choice: str) -> str:
    """A choice as its words are found in a text; empty where only the choice itself will do.

    A single letter or digit is in every sentence: "a" is no "A".
    """
    plain = " ".join(_words(choice) or ())
    return plain if len(plain) > 1 else ""


def _said(words: list[str], kind: QuestionType) -> tuple[str, ...]:
    """The choices named somewhere in a sentence that denies and doubts nothing."""
    own = _choices_by_form(kind)
    found: set[str] = set()
    rest: list[str] = []
    place = 0
    while place < len(words):
        phrase = _phrase_at(words, place, own)
        if not phrase:
            rest.append(words[place])
        elif phrase in own:
            if not _speaks_of(rest, kind):
                return ()
            found.add(own[phrase])
        place += max(1, len(phrase.split()))
    if _denied(rest, REFUSALS | NEGATIONS | DOUBTS) or (len(found) > 1 and not kind.select_many):
        return ()
    sides = SIDES.intersection(" ".join(map(_plain, kind.choices)).split())
    if sides and not SIDES.isdisjoint(rest):
        return ()  # "turning left, then right" says more than was found
    return tuple(choice for choice in kind.choices if choice in found)


def _yes_or_no(text: str, words: list[str]) -> tuple[str, ...]:
    """Yes or no as the first word on its own, or as the last after "answer"; never both."""
    found = {word for word in words if word in ("yes", "no")}
    if len(found) != 1:
        return ()
    (word,) = found
    rest = [each for each in words if each != word]
    told = re.match(rf"\W*{word}\W*[.,;:!\n-]", text, re.IGNORECASE) or (
        words[-1] == word and "answer" in words[-4:]
    )
    against = REFUSALS | DOUBTS | (NEGATIONS if word == "yes" else set())
    return (word,) if told and words.count(word) == 1 and not _denied(rest, against) else ()


def _speaks_of(words: Sequence[str], kind: QuestionType) -> bool:
    """Whether nobody but the one the question is about does something in these words.

    Where "the robot is ahead of person 3", person 3 is not ahead of the robot.
    """
    named = {SUBJECTS[word] for word in words if word in SUBJECTS}
    return named <= {SUBJECTS.get(kind.key.split("_")[1], "")}


def _denied(words: Sequence[str], against: frozenset[str]) -> bool:
    contracted = "n't" in {word[-3:] for word in words} and bool(against & NEGATIONS)
    return contracted or not against.isdisjoint(words)


def _phrase_at(words: list[str], place: int, own: dict[str, str]) -> str:
    """The longest phrase, of any question, that begins at this word."""
    for length in range(max([6, *(len(form.split()) for form in own)]), 0, -1):
        phrase = " ".join(words[place : place + length])
        if phrase in own or phrase in _phrases():
            return phrase
    return ""


@cache
def _phrases() -> frozenset[str]:
    """Idioms, and all questions' choices of more than one word: "moving ahead" is not "ahead"."""
    choices = (each for kind in kinds().values() for each in kind.choices)
    return frozenset([*IDIOMS, *(each for each in choices if " " in each)])


@cache
def _choices_by_form(kind: QuestionType) -> dict[str, str]:
    """Each way of writing a choice that fits no other choice of the question."""
    forms: dict[str, set[str]] = {}
    for choice in filter(_plain, kind.choices):
        plain = _plain(choice)
        spellings = next((verb for verb in VERBS if plain in verb), (plain,))
        cut = {DANGLING.sub("", each) for each in spellings}
        longer = {each for each in _phrases() if DANGLING.sub("", each) in cut}
        for form in {*spellings, *cut, *longer}:
            forms.setdefault(form, set()).add(choice)
    return {form: next(iter(found)) for form, found in forms.items() if len(found) == 1}
