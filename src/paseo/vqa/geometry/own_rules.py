"""Rules of one's own: functions in a file of Python that say what is right in a scene."""

import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from paseo.errors import BadValue
from paseo.files import sha256
from paseo.registry.modules import LARGEST
from paseo.registry.registry import Registry
from paseo.registry.trust import Consent, agreed, named_code
from paseo.text import error_words
from paseo.vqa.geometry.course import Course
from paseo.vqa.geometry.places import Finding
from paseo.vqa.questions.question_file import QuestionFile
from paseo.vqa.questions.questions import Question
from paseo.vqa.questions.raw_answers import option_of

Rule = Callable[[Course, int | None], object]  # of a course and a person's number, None: nobody's

RULES: Registry[Rule] = Registry(
    kind="rule",
    group="paseo.rules",
    shipped={},
    fault=lambda found: "" if callable(found) else "is no function",
    noun="function",
)


@dataclass(frozen=True, slots=True)
class OwnRule:
    """A function that answers one kind of question."""

    reference: str  # FILE.py:NAME
    rule: Rule

    @property
    def provenance(self) -> dict[str, str]:
        """Which function it is, without where on this machine."""
        file, _, name = self.reference.rpartition(":")
        return {"rule": f"{Path(file).name}:{name}", "sha256": sha256(Path(file), largest=LARGEST)}

    def finding(self, course: Course, asked: Question) -> Finding:
        """What it says of a scene: a choice, several where several may be chosen, or nothing."""
        try:
            with redirect_stdout(sys.stderr):  # it may talk; stdout is for our data
                said = self.rule(course, asked.person)
        except (Exception, SystemExit) as error:
            raise BadValue(
                f"question {asked.key}: its rule {self.reference} failed ({error_words(error)})"
            ) from error
        if said is None:
            return Finding((), clear=False)
        listed = list(said) if isinstance(said, tuple | set | frozenset) else said
        option = option_of(listed, asked.kind)
        if option is None:
            many = "one or more" if asked.kind.select_many else "one"
            raise BadValue(
                f"question {asked.key}: its rule {self.reference} says {said!r:.80}, expected "
                f"{many} of {', '.join(asked.kind.choices)}, or None where that is not clear"
            )
        return Finding(option, clear=True)


def own_rules(file: QuestionFile, path: Path, consent: Consent) -> Mapping[str, OwnRule]:
    """The rules that a file of questions names, by question key; their files lie beside it.

    Importing is running: `Untrusted` where this user has not named them and nobody consents.
    """
    places = {each.key: _place(each.rule, path) for each in file.question if each.rule}
    named = dict.fromkeys(places.values())
    agreed([c for each in named for c in named_code(RULES, each)], consent, whose=f"{path}")
    return {key: OwnRule(place, RULES.find(place)) for key, place in places.items()}


def _place(rule: str, path: Path) -> str:
    name, _, function = rule.rpartition(":")
    return f"{path.parent / name}:{function}"
