"""The examiner of an exam: prompts in a wording, earlier answers by the method, replies read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from paseo.vlm.models import Prompt, Reply, Structure
from paseo.vqa.exam.sessions import SceneSession
from paseo.vqa.probes.probe import Probe, must_become, origin
from paseo.vqa.prompts.presentation import Presentation
from paseo.vqa.prompts.reply_form import reply_form
from paseo.vqa.questions.answers import Answer, read_answer, read_answers
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import Option, Question


@dataclass(frozen=True, slots=True, kw_only=True)
class WordedExaminer:
    """Asks in one presentation, by one method."""

    presentation: Presentation
    method: Method
    # People's most common answers by scene and question key; told where the method says so.
    people: Mapping[tuple[str, str], Option] = field(default_factory=dict)
    structure: Structure | None = None  # how the provider holds replies to their form; None: not

    def needs(self, question: Question) -> tuple[str, ...]:
        """Only a chain of the model's own answers has to wait for them."""
        return question.needs if self.method is Method.CHAIN else ()

    def prompt(
        self, session: SceneSession, questions: Sequence[Question], earlier: Mapping[str, Answer]
    ) -> Prompt:
        """The prompt that asks these questions of a session."""
        told = self._told(session, questions, earlier)
        how, timing = self.presentation, session.timing
        text = how.text(questions, timing=timing, method=self.method, earlier=told)
        prompt = how.prompt(questions, text, session.images, timing=timing)
        if self.structure is None:
            return prompt
        return replace(prompt, form=reply_form(questions, self.structure, self.method))

    def _told(
        self, session: SceneSession, questions: Sequence[Question], earlier: Mapping[str, Answer]
    ) -> Mapping[str, Answer | Option]:
        if self.method is not Method.CHAIN_HUMAN:
            return earlier
        needed = {each for question in questions for each in question.builds_on}
        said = {each.key: self._people_said(session, each) for each in needed}
        return {key: option for key, option in said.items() if option is not None}

    def _people_said(self, session: SceneSession, asked: Question) -> Option | None:
        """What people said, as it must read in a changed scene."""
        if not session.variant:
            return self.people.get((session.scene, asked.key))
        probe = Probe(session.variant)
        numbers = {each.person for each in session.questions if each.person is not None}
        said = self.people.get((session.scene, origin(asked, probe, tuple(numbers)).key))
        return None if said is None else must_become(said, asked.kind, probe)

    def answers(self, reply: Reply, questions: Sequence[Question]) -> dict[str, Answer]:
        """The answers a reply gives, by question key."""
        return answers_in(reply, questions, method=self.method)


def answers_in(reply: Reply, questions: Sequence[Question], *, method: Method) -> dict[str, Answer]:
    """The answers a reply gives to the questions it was asked, by question key."""
    if len(questions) > 1:
        return read_answers(reply.text, questions, method=method, ending=reply.ending)
    only = questions[0]
    return {only.key: read_answer(reply.text, only, method=method, ending=reply.ending)}
