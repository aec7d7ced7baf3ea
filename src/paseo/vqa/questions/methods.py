"""The ways of asking: what a model is told before a question, and which questions it is put."""

from collections.abc import Iterable
from enum import Enum

from paseo.vqa.questions.questions import SPATIAL, SPATIOTEMPORAL, Question


class Method(Enum):
    """How the questions about a scene are put."""

    INDEPENDENT = "independent"  # each on its own
    CHAIN = "chain"  # with the model's own answers to the questions it builds on
    CHAIN_HUMAN = "chain-human"  # with people's most common answers to them
    REASON = "reason"  # each on its own, reasoning written before the answer

    @property
    def chains(self) -> bool:
        """Whether earlier answers are told."""
        return self in (Method.CHAIN, Method.CHAIN_HUMAN)


def asked(questions: Iterable[Question], method: Method) -> tuple[Question, ...]:
    """The questions that are put at all, in the same order.

    With people's answers only the social questions are put, and those of other categories than
    the data set's: the answers to the others are told, and so they are no answers of the model.
    """
    every = tuple(questions)
    if method is not Method.CHAIN_HUMAN:
        return every
    return tuple(each for each in every if each.kind.category not in (SPATIAL, SPATIOTEMPORAL))
