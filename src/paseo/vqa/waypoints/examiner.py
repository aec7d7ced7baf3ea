"""The examiner of a waypoint exam: scenes with candidates, prompts with what is told, replies."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from paseo.errors import InputError
from paseo.vlm.models import Picture, Prompt, Reply
from paseo.vqa.exam.examiner import WordedExaminer
from paseo.vqa.exam.sessions import SceneSession
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.questions import Option, Question, QuestionType
from paseo.vqa.questions.questions import questions as all_questions
from paseo.vqa.waypoints.candidates import KEY
from paseo.vqa.waypoints.contexts import Context, Place
from paseo.vqa.waypoints.drawing import Drawn, marked_pictures
from paseo.vqa.waypoints.mounting import Mount
from paseo.vqa.waypoints.prompting import (
    Told,
    film_rate,
    read_waypoint,
    waypoint_prompt,
    waypoint_text,
)
from paseo.vqa.waypoints.sampling import Choice
from paseo.world.scenes import Scene, Unreadable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WaypointSession(SceneSession):
    """A scene whose pictures exist twice: as they are, and with the candidates in them."""

    marked: tuple[Picture, ...]
    choice: Choice
    people: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WaypointExaminer:
    """Puts a choice of waypoints, and before it all questions where the model's answers count."""

    worded: WordedExaminer
    context: Context
    told: Mapping[Place, Option] = field(default_factory=dict)

    def needs(self, question: Question) -> tuple[str, ...]:
        """A choice that is told the model's own answers waits for every one of them."""
        if question.kind.key != KEY:
            return self.worded.needs(question)
        return question.needs

    def prompt(
        self, session: SceneSession, questions: Sequence[Question], earlier: Mapping[str, Answer]
    ) -> Prompt:
        """The prompt that asks these questions, or lets the model choose."""
        if questions[0].kind.key != KEY or not isinstance(session, WaypointSession):
            return self.worded.prompt(session, questions, earlier)
        only, how = questions[0], self.worded.presentation
        text = waypoint_text(
            only,
            how.wording.about(session.timing),
            layout=how.layout,
            horizon=session.choice.candidates.horizon,
            told=self._told(session, earlier),
            method=self.worded.method,
        )
        return waypoint_prompt(
            only,
            text,
            session.marked,
            fps=film_rate(how.layout, session.timing),
            rules=session.choice.rules.items(),
        )

    def answers(self, reply: Reply, questions: Sequence[Question]) -> dict[str, Answer]:
        """The answers a reply gives, by question key."""
        if questions[0].kind.key != KEY:
            return self.worded.answers(reply, questions)
        return {KEY: read_waypoint(reply, questions[0], method=self.worded.method)}

    def _told(self, session: WaypointSession, earlier: Mapping[str, Answer]) -> Told:
        every = all_questions(session.scene, session.people)
        if self.context is Context.OWN:
            known = {key: answer.option for key, answer in earlier.items()}
        else:
            known = {each.key: self.told.get((session.scene, each.key)) for each in every}
        return [(each, option) for each in every if (option := known.get(each.key)) is not None]


def _only(question: Question) -> QuestionType:
    """A kind of which there is this question alone."""
    return replace(question.kind, key=question.key, about_person=False, builds_on=())


def waypoint_sessions(
    scenes: Iterable[Scene],
    choices: Mapping[str, Choice],
    examiner: WaypointExaminer,
    mount: Mount,
) -> Iterator[SceneSession | Unreadable]:
    """The scenes with their candidates, each drawn when its turn comes."""
    how = examiner.worded.presentation
    for scene in scenes:
        choice, people = choices[scene.id], tuple(person.number for person in scene.people)
        before: tuple[Question, ...] = ()
        if examiner.context is Context.OWN:
            before = all_questions(scene.id, people)
        only = choice.candidates.question(scene.id)
        waits = replace(only.kind, builds_on=tuple(map(_only, before)))
        try:
            marked = marked_pictures(
                scene,
                Drawn(candidates=choice.candidates, mount=mount),
                how.layout,
                how.drawing,
                largest_px=how.largest_px,
            )
            yield WaypointSession(
                scene=scene.id,
                questions=(*before, replace(only, kind=waits)),
                images=how.pictures(scene) if before else (),
                timing=scene.timing,
                marked=marked,
                choice=choice,
                people=people,
            )
        except InputError as error:
            yield Unreadable(scene.id, (str(error),))
