"""Answers to one question before and after a change, and whether they fit together."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from paseo.vqa.probes.probe import SIDE, Probe, counterpart, is_tied, must_become, variants_for
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.questions import Catalogue, Option, Question

Answers = Mapping[tuple[str, str], Mapping[int, Answer]]  # by scene and question key, by repeat
People = Mapping[str, tuple[int, ...]]  # the numbers in each scene


class PairVerdict(Enum):
    """What came of a question that was asked twice."""

    CONSISTENT = "consistent"
    WRONG = "changed wrongly"
    INVALID = "invalid"  # one of the two answers cannot be read, or both


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPair:
    """A question asked twice; None for what cannot be read."""

    question: Question  # as it was before the change
    changed: Question  # what was asked in its place
    before: Option | None
    required: Option | None  # what the answer has to become
    after: Option | None  # what it became

    @property
    def verdict(self) -> PairVerdict:
        """Whether the answer changed as it had to."""
        if self.required is None or self.after is None:
            return PairVerdict.INVALID
        return PairVerdict.CONSISTENT if self.required == self.after else PairVerdict.WRONG

    @property
    def chance(self) -> float:
        """How often two blind guesses fit, if every possible answer is equally likely."""
        return 1 / len(self.question.kind.options)

    @property
    def names_side(self) -> bool:
        """Whether the first answer speaks of left or right."""
        return any(SIDE.search(choice) for choice in self.before or ())


def pairs(
    before: Answers, after: Answers, probe: Probe, people: People, catalogue: Catalogue
) -> Iterator[AnswerPair]:
    """The answers that a probe ties together, each repeat with the same repeat."""
    for scene, numbers in people.items():
        if not variants_for(numbers, [probe.value]):
            continue
        for question in catalogue.questions(scene, numbers):
            if not is_tied(question.kind, probe):
                continue
            changed = counterpart(question, probe, numbers)
            first = before.get((scene, question.key), {})
            second = after.get((scene, changed.key), {})
            for repeat in sorted(first.keys() & second.keys()):
                option, kind = first[repeat].option, question.kind
                yield AnswerPair(
                    question=question,
                    changed=changed,
                    before=option,
                    required=None if option is None else must_become(option, kind, probe),
                    after=second[repeat].option,
                )


def repeated(answers: Answers, people: People, catalogue: Catalogue) -> Iterator[AnswerPair]:
    """Each answer with that of the next repeat, nothing changed: what mere chance changes."""
    for scene, numbers in people.items():
        for question in catalogue.questions(scene, numbers):
            by_repeat = answers.get((scene, question.key), {})
            for repeat in sorted(by_repeat):
                if repeat + 1 in by_repeat:
                    option = by_repeat[repeat].option
                    yield AnswerPair(
                        question=question,
                        changed=question,
                        before=option,
                        required=option,
                        after=by_repeat[repeat + 1].option,
                    )
