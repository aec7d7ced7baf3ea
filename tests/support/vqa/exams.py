"""Small exams for tests: sessions without scenes, and models that answer from a function."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue

import numpy as np

from paseo.data.scenes.scene_file import write_scene
from paseo.data.scenes.socialnavsub import TIMING
from paseo.vlm.models import Picture, Prompt, Reply, Usage
from paseo.vlm.prices import Price
from paseo.vqa.exam.budget import Budget, Caps
from paseo.vqa.exam.examiner import WordedExaminer
from paseo.vqa.exam.plan import ExamOptions
from paseo.vqa.exam.replies import Stored, stored_replies
from paseo.vqa.exam.running import Exam
from paseo.vqa.exam.sessions import SceneSession, key_maker
from paseo.vqa.exam.store import ReplyStore
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.prompts.presentation import Presentation
from paseo.vqa.prompts.wording import paseo_wording
from paseo.vqa.questions.methods import Method, asked
from paseo.vqa.questions.questions import question, questions
from paseo.world.scenes import NumberedPerson, Scene
from tiny_scenes import picture

ESTIMATE = Usage(input_tokens=100, output_tokens=10)
NO_CAPS = Caps()
PRESENTATION = Presentation(layout=Layout.FRONT, drawing=Drawing.PASEO, wording=paseo_wording())
CENT = Price(model="*", input=100.0, cached=0.0, output=0.0)  # a cent for 100 tokens


def session(scene: str = "s1", people: int = 1, *, method: Method = Method.CHAIN) -> SceneSession:
    """A scene with people 1, 2, ... and one picture."""
    every = asked(questions(scene, range(1, people + 1)), method)
    images = (Picture(scene.encode()),)
    return SceneSession(scene=scene, questions=every, images=images, timing=TIMING)


def first_choice(prompt: Prompt) -> str:
    """The answer that a model gives which always takes the first choice."""
    scene, _, keys = prompt.id.partition("/")
    first = {key: question(scene, key).kind.choices[0] for key in keys.split(",")}
    if len(first) > 1:
        return json.dumps({"answers": first})
    return json.dumps({"answer": next(iter(first.values()))})


class Answering:
    """A model that answers from a function of the prompt, and keeps account."""

    name = "test/answering"

    def __init__(
        self, answer: Callable[[Prompt], str] = first_choice, *, delay_s: float = 0.0
    ) -> None:
        self._answer, self._delay_s = answer, delay_s
        self._lock = threading.Lock()
        self.asked: list[Prompt] = []
        self.at_once = self.most_at_once = 0
        self.held = 0  # requests that do not come back by themselves

    def ask(self, prompt: Prompt) -> Reply:
        """Answer after a while."""
        with self._lock:
            self.asked.append(prompt)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            time.sleep(self._delay_s)
            return Reply(text=self._answer(prompt), latency_s=0.5, usage=ESTIMATE, model="exact-1")
        finally:
            with self._lock:
                self.at_once -= 1


class FakeClock:
    """A time that passes only while nothing but time can change anything.

    That is when every request under way is `held` by the model; then `idle` is called instead, if
    there is one, and may let some go.
    """

    def __init__(self, model: Answering) -> None:
        self.now = 1000.0
        self.idle: Callable[[], bool] = lambda: False
        self._model = model
        self._exam: Exam | None = None

    def watch(self, exam: Exam) -> None:
        self._exam = exam

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return self.now

    def next_report(self, reports: "SimpleQueue[object]", timeout_s: float | None) -> object:
        """What comes next, or what would have come after so long."""
        while True:
            try:
                return reports.get(timeout=0.01)
            except Empty:
                if timeout_s is None or self._something_comes():
                    continue
                if not self.idle():
                    self.now += timeout_s
                    raise

    def _something_comes(self) -> bool:
        assert self._exam
        held = max(0, self._model.held - self._exam.tally.failed)  # some were given up
        return self._exam.under_way > held


def examiner(method: Method = Method.CHAIN) -> WordedExaminer:
    """An examiner with our wording."""
    return WordedExaminer(presentation=PRESENTATION, method=method)


def exam(
    model: Answering,
    folder: Path,
    *,
    method: Method = Method.CHAIN,
    caps: Caps = NO_CAPS,
    clock: FakeClock | None = None,
    **options: object,
) -> Exam:
    """An exam that stores into a folder; each reply of `Answering` costs a cent."""
    clock = clock or FakeClock(model)
    made = Exam(
        model,
        examiner(method),
        store=ReplyStore(folder / "replies.sqlite"),
        budget=Budget(caps, price=CENT, estimate=ESTIMATE),
        key=key_maker(model.name, {}),
        options=ExamOptions(**options),  # type: ignore[arg-type]
        clock=clock,
    )
    clock.watch(made)
    return made


def replies(folder: Path) -> list[Stored]:
    """What an exam stored."""
    return stored_replies(folder / "replies.sqlite")


def small_scene(id: str = "yard-1", people: int = 1, *, shade: int = 0) -> Scene:
    """A scene of plain pictures in which nobody moves."""
    here = np.zeros((TIMING.frames, 3))
    box = np.tile([10.0, 5.0, 20.0, 30.0], (TIMING.frames, 1))
    return Scene(
        id=id,
        frames=tuple(picture(shade) for _ in range(TIMING.frames)),
        period=TIMING.period,
        robot=here,
        goal=(5.0, 0.0),
        people=tuple(
            NumberedPerson(number=k, positions=here[:, :2] + k, boxes=box)
            for k in range(1, people + 1)
        ),
    )


def scene_folder(folder: Path, *ids: str) -> Path:
    """A folder of small scenes with one person each and pictures of their own."""
    for number, id in enumerate(ids):
        write_scene(small_scene(id, shade=20 * number), folder)
    return folder
