"""One decision: candidates made, drawn or described, questions answered, a waypoint chosen."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from paseo.deciding.believing import believed_crowd
from paseo.deciding.decisions import LONGEST_TEXT, Candidate, Decision, Told
from paseo.deciding.history import History, RobotEye, seen_from
from paseo.deciding.reaching import Reach, Reachable
from paseo.deciding.replies import Answered, Replies
from paseo.deciding.thinking import Instead, Known, known_answers
from paseo.deciding.words import Think, View, choice_text, questions_text
from paseo.text import shortened
from paseo.vlm.models import Picture, Prompt, PromptQuestion
from paseo.vqa.exam.examiner import answers_in
from paseo.vqa.pictures.pictures import Drawing, Layout, pictures
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import Option, Question, questions
from paseo.vqa.waypoints.candidates import Candidates
from paseo.vqa.waypoints.drawing import Drawn, marked_pictures
from paseo.vqa.waypoints.prompting import read_waypoint, waypoint_prompt
from paseo.world.arrays import FloatArray
from paseo.world.motion import Pose
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation
from paseo.world.scenes import Scene

NAME = "drive"  # of every moment: the same prompt is the same wherever it comes up
THOUGHT = f"{NAME}/questions"  # the id of prompts that ask all questions about a moment
DIGITS = 4  # of metres in the notes
SEEN = 15.0  # metres around the robot within which walls are drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class Choosing:
    """How a decision is made."""

    think: Think
    view: View
    candidates: int
    horizon: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Occasion:
    """What a decision is about."""

    places: list[Reachable]
    shown: Candidates
    goal: tuple[float, float]
    scene: Scene
    people: dict[str, int]  # by the number that is drawn
    known: Known
    told: Mapping[Question, Answer | Option]  # by the model itself, or by geometry
    thought: Answered | None


class Chooser:
    """Makes the decisions of an episode; `remembered` are moments that it has been in before."""

    def __init__(
        self,
        reach: Reach,
        replies: Replies,
        how: Choosing,
        briefing: Briefing,
        remembered: dict[bytes, Occasion],
    ) -> None:
        self._reach, self._replies, self._how = reach, replies, how
        self._remembered = remembered
        self._briefing, self._eye = briefing, RobotEye(briefing.camera)

    def choose(
        self,
        observation: Observation,
        history: History,
        rng: np.random.Generator,
        number: int,
        instead: Instead | None = None,
    ) -> Decision:
        """Let the model choose where to go from here, told some answers `instead` of its own."""
        pose, occasion = observation.robot.pose, self._occasion(observation, history, rng, instead)
        places, known, told = occasion.places, occasion.known, occasion.told
        if instead is not None and number >= instead.since:
            told = {each: instead.answer(each, known.likely) or said for each, said in told.items()}
        crowds = observation.crowd, _believed(observation, occasion.people, told, known)
        shown = occasion.shown
        rules = {
            name: shown.letter(k) for name, k in self._reach.rules(pose, places, *crowds).items()
        }
        only = shown.question(NAME)
        first = history.moments[0].pose
        prompt = self._prompt(only, occasion.scene, shown, told, rules, first)
        answered = self._replies.ask(prompt, (only,))
        answer = _read(answered, only)
        return Decision(
            number=number,
            time_s=round(observation.time, 6),
            pose=(pose.x, pose.y, pose.heading),
            goal_m=(round(occasion.goal[0], DIGITS), round(occasion.goal[1], DIGITS)),
            people=occasion.people,
            candidates=tuple(_noted(each, shown.letter(k)) for k, each in enumerate(places)),
            rules=rules,
            think=self._how.think.value,
            answers=_answers(told, occasion.thought),
            truth={key: tuple(each) for key, each in known.true.items()},
            questions_key=occasion.thought.key if occasion.thought else "",
            prompt_key=answered.key,
            reply=shortened(answered.reply.text if answered.reply else "", LONGEST_TEXT),
            chosen=answer.option[0] if answer.option else None,
            problem=shortened(answered.problem or answer.problem, LONGEST_TEXT),
            latency_s=_seconds(answered)
            + (_seconds(occasion.thought) if occasion.thought else 0.0),
        )

    def _occasion(
        self,
        observation: Observation,
        history: History,
        rng: np.random.Generator,
        instead: Instead | None,
    ) -> Occasion:
        """What is the same whatever is told; remembered where decisions are made again."""
        if instead is None:
            return self._seen(observation, history, rng)
        key = history.fingerprint
        if key not in self._remembered:
            self._remembered[key] = self._seen(observation, history, rng)
        return self._remembered[key]

    def _seen(
        self, observation: Observation, history: History, rng: np.random.Generator
    ) -> Occasion:
        pose = observation.robot.pose
        places = self._reach.candidates(pose, self._how.candidates, rng)
        goal = self._reach.goal_ahead(pose)
        scene = history.scene(goal, NAME)
        spots = np.array([(each.x, each.y) for each in places])
        known = known_answers(scene)
        told, thought = self._thought(scene, known)
        return Occasion(
            places=places,
            shown=Candidates(
                places=seen_from(history.moments[0].pose, spots), horizon=self._how.horizon
            ),
            goal=goal,
            scene=scene,
            people=_ids(scene, history, observation.crowd),
            known=known,
            told=told,
            thought=thought,
        )

    def _prompt(
        self,
        only: Question,
        scene: Scene,
        shown: Candidates,
        told: Mapping[Question, Answer | Option],
        rules: Mapping[str, str],
        first: Pose,
    ) -> Prompt:
        known = [
            (each, option)
            for each, said in told.items()
            if (option := said.option if isinstance(said, Answer) else said) is not None
        ]
        text = choice_text(
            only, scene, shown, view=self._how.view, has_camera=self._has_camera, told=known
        )
        images = self._marked(scene, shown, first)
        return waypoint_prompt(only, text, images, rules=rules.items())

    @property
    def _has_camera(self) -> bool:
        return self._briefing.camera is not None

    def _marked(self, scene: Scene, shown: Candidates, first: Pose) -> tuple[Picture, ...]:
        """The pictures with the waypoints: frames above a map, or the last map alone."""
        if self._how.view is View.TEXT:
            return ()
        walls = _walls_near(self._briefing.floorplan.walls, first)
        drawn = Drawn(candidates=shown, mount=self._eye, walls=walls)
        layout = Layout.GRID_BEV if self._has_camera else Layout.BEV
        return marked_pictures(scene, drawn, layout)[-1:]

    def _thought(
        self, scene: Scene, known: Known
    ) -> tuple[Mapping[Question, Answer | Option], Answered | None]:
        """Answers to the questions about the moment, and the reply that gave them, if one did."""
        every = questions(NAME, [person.number for person in scene.people])
        if self._how.think is Think.NONE:
            return {}, None
        if self._how.think is Think.TRUTH:
            return {each: known.true[each.key] for each in every if each.key in known.true}, None
        view = self._how.view
        text = questions_text(every, scene, view=view, has_camera=self._has_camera)
        images: tuple[Picture, ...] = ()
        if view is View.PICTURE:
            layout = Layout.GRID_BEV if self._has_camera else Layout.BEV
            images = pictures(scene, layout, Drawing.PASEO)[-1:]
        prompt = Prompt(
            text=text,
            images=images,
            id=THOUGHT,
            questions=tuple(_asked(each, known.likely.get(each.key)) for each in every),
        )
        answered = self._replies.ask(prompt, every)
        if answered.reply is None:
            return {}, answered
        found = answers_in(answered.reply, every, method=Method.INDEPENDENT)
        return {each: found[each.key] for each in every}, answered


def _believed(
    observation: Observation,
    people: Mapping[str, int],
    told: Mapping[Question, Answer | Option],
    known: Known,
) -> Crowd:
    """The crowd by what is told of it."""
    said = {
        each.key: option
        for each, answer in told.items()
        if (option := answer.option if isinstance(answer, Answer) else answer)
    }
    if not said:
        return observation.crowd
    numbers = {int(number): id for number, id in people.items()}
    return believed_crowd(observation.crowd, observation.robot, numbers, said, known.likely)


def _read(answered: Answered, only: Question) -> Answer:
    if answered.reply is None:
        return Answer(option=None, problem=answered.problem)
    return read_waypoint(answered.reply, only)


def _asked(question: Question, truth: Option | None) -> PromptQuestion:
    """With what is true by geometry, for models that follow a script."""
    kind = question.kind
    rules = tuple(("truth", each) for each in truth or ())
    return PromptQuestion(
        key=question.key, choices=kind.choices, several=kind.select_many, rules=rules
    )


def _answers(told: Mapping[Question, Answer | Option], thought: Answered | None) -> dict[str, Told]:
    found = {}
    for question, said in told.items():
        option = said.option if isinstance(said, Answer) else said
        problem = said.problem if isinstance(said, Answer) else ""
        found[question.key] = Told(answer=option or (), problem=shortened(problem, LONGEST_TEXT))
    if not found and thought is not None and thought.problem:
        found[""] = Told(answer=(), problem=shortened(thought.problem, LONGEST_TEXT))
    return found


def _seconds(answered: Answered) -> float:
    return answered.reply.latency_s if answered.reply else 0.0


def _noted(place: Reachable, letter: str) -> Candidate:
    """As it is, so that decisions can be followed again to the same places."""
    return Candidate(letter=letter, x_m=place.x, y_m=place.y, speed_mps=place.speed)


def _ids(scene: Scene, history: History, crowd: Crowd) -> dict[str, int]:
    """Whose id in the record each number that was drawn stands for."""
    last = history.moments[-1]
    first = history.moments[0].pose
    places = seen_from(first, last.crowd.positions)
    found = {}
    for person in scene.people:
        gaps = np.hypot(*(places - person.positions[-1]).T)
        found[str(person.number)] = int(crowd.ids[int(np.argmin(gaps))])
    return found


def _walls_near(walls: FloatArray, first: Pose) -> FloatArray:
    """Those that begin or end near the robot, or pass it, as seen from its first pose."""
    seen = seen_from(first, walls)
    x0, y0 = seen.min(axis=1).T
    x1, y1 = seen.max(axis=1).T
    near = (x1 >= -SEEN) & (x0 <= SEEN) & (y1 >= -SEEN) & (y0 <= SEEN)
    return seen[near]
