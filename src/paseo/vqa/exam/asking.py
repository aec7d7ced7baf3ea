"""Putting an exam to a model: what to ask, what it will take, and asking it."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import msgspec

from paseo.data.scenes.dataset import open_scenes
from paseo.data.scenes.origin import holds_staged
from paseo.data.store.locations import data_dir
from paseo.errors import BadValue, InputError, MissingData
from paseo.progress import Progress, silent
from paseo.text import without_keys
from paseo.vlm.making import make_model, model_class
from paseo.vlm.models import ModelSettings, VisionModel
from paseo.vlm.prices import Price, PriceTable, read_prices
from paseo.vqa.exam.budget import Budget, Caps, Tally
from paseo.vqa.exam.estimates import NOTHING, ExamEstimate, exam_estimate
from paseo.vqa.exam.examiner import WordedExaminer
from paseo.vqa.exam.plan import (
    PATIENCE,
    STALL,
    AskedScene,
    ExamFolder,
    ExamOptions,
    ExamPlan,
    told_hash,
)
from paseo.vqa.exam.preparing import Overview, overview, sessions, with_answers_of
from paseo.vqa.exam.running import Exam
from paseo.vqa.exam.sessions import SceneSession, key_maker
from paseo.vqa.exam.store import ReplyStore
from paseo.vqa.pictures.pictures import Drawing, Layout, drawing_of
from paseo.vqa.probes.probe import PLAIN, Probe, variants_for
from paseo.vqa.prompts.presentation import Presentation, wording_in
from paseo.vqa.prompts.wording import WordingSource
from paseo.vqa.questions.methods import Method, asked
from paseo.vqa.questions.questions import Option, questions
from paseo.vqa.questions.votes import check_origin, read_labels
from paseo.world.scenes import Unreadable

SECRET = re.compile(
    r"api.?key|authorization|password|secret|credential|header|cookie|bearer"
    r"|(access|auth|api|id).?token|^(key|token)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskOptions:
    """What a model is asked and how, how fast, and what it may cost."""

    method: Method = Method.CHAIN
    images: Layout = Layout.FRONT_BEV
    drawing: Drawing | None = None  # None: the data set's own where every scene has it
    largest_px: int | None = None  # of the longer side of a picture
    wording: WordingSource | None = None  # None: the data set's own where it has any
    labels: Path | None = None  # people's answers, where the method tells them
    probes: tuple[Probe, ...] = ()
    limit: int | None = None  # only the first scenes
    repeats: int = 1
    together: int = 1  # questions per request
    settings: ModelSettings = field(default_factory=ModelSettings)
    concurrency: int = 8
    rate_limit_rpm: float | None = None  # requests per minute
    retries: int = 5
    keep_going: bool = False  # even after many useless answers in a row
    max_usd: float | None = None
    max_tokens_total: int | None = None
    prices: Path | None = None  # None: the shipped table

    def __post_init__(self) -> None:
        for key, value in self.settings.extra.items():
            if _holds_secret(key, value):
                raise BadValue(
                    f"extra {key[:40]}: looks like a secret, and settings are written to "
                    "exam.json; keys belong into the environment, see `paseo list models`",
                    parameters=["extra"],
                )

    @property
    def running(self) -> ExamOptions:
        """How the exam is run."""
        return ExamOptions(
            repeats=self.repeats,
            together=self.together,
            concurrency=self.concurrency,
            per_minute=self.rate_limit_rpm,
            retries=self.retries,
            patience=None if self.keep_going else PATIENCE,
            stall_s=STALL * self.settings.timeout_s,
        )

    @property
    def caps(self) -> Caps:
        """The most it may use."""
        return Caps(usd=self.max_usd, tokens=self.max_tokens_total)


def _holds_secret(key: str, value: object) -> bool:
    """Whether a setting is a secret by its name or its look, or one in it is."""
    if SECRET.search(key) or (isinstance(value, str) and without_keys(value) != value):
        return True
    inner = value.items() if isinstance(value, dict) else ()
    listed = [("", each) for each in value] if isinstance(value, list) else []
    return any(_holds_secret(str(name), each) for name, each in (*inner, *listed))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Paper:
    """An exam that is ready to be put."""

    model: str | VisionModel
    found: Overview
    examiner: WordedExaminer
    plan: ExamPlan
    options: AskOptions
    prices: PriceTable
    redrawn: bool  # whether the data set's own pictures are not shown because of probes

    @property
    def price(self) -> Price | None:
        """What the model's tokens cost; None where that is not known."""
        return self.prices.of(self.plan.model)

    @property
    def questions(self) -> int:
        """How many answers there are to get, over all repeats and variants."""
        return sum(map(self._answers_about, self.plan.scenes))

    def finished(self, answered: Mapping[str, int]) -> set[str]:
        """The scenes that are wholly answered, by the number of answers about each."""
        scenes = self.plan.scenes
        return {s.id for s in scenes if answered.get(s.id, 0) >= self._answers_about(s)}

    def sessions(self, *, without: Collection[str] = ()) -> Iterator[SceneSession | Unreadable]:
        """Its scenes but these, each drawn when its turn comes."""
        return sessions(
            (scene for scene in self.found.scenes if scene.id not in without),
            draw=self.examiner.presentation.pictures,
            method=self.examiner.method,
            variants=self.plan.variants,
        )

    def estimate(self) -> ExamEstimate:
        """What it will take, from the pictures of the first scene that can be drawn."""
        for sample in self.sessions():
            if isinstance(sample, SceneSession):
                return exam_estimate(
                    sample, examiner=self.examiner, plan=self.plan, price=self.price
                )
            reason = sample.reason
        raise MissingData(f"no scene can be drawn: {reason}")

    def _answers_about(self, scene: AskedScene) -> int:
        put = asked(questions(scene.id, scene.people), self.examiner.method)
        return len(put) * self.plan.repeats * len(variants_for(scene.people, self.plan.variants))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExamOutcome:
    """How an exam went."""

    folder: Path
    plan: ExamPlan
    tally: Tally
    questions: int  # how many there were to answer, over all repeats and variants
    unreadable: tuple[Unreadable, ...]  # scenes that were left out


class Stopper:
    """Ends an exam soon; may be called from anywhere, a signal handler too."""

    def __init__(self) -> None:
        self._exam: Exam | None = None
        self._stopped = False

    @property
    def begun(self) -> bool:
        """Whether there is an exam to stop."""
        return self._exam is not None

    def stop(self) -> None:
        """Let requests under way come in, and begin no more."""
        self._stopped = True
        if self._exam:
            self._exam.stop()

    def attach(self, exam: Exam) -> None:
        """The exam that is to be stopped."""
        self._exam = exam
        if self._stopped:
            exam.stop()


DEFAULTS = AskOptions()


def ask(
    model: str | VisionModel,
    scenes: Path | None = None,
    *,
    out: Path | None = None,
    options: AskOptions = DEFAULTS,
    resume: bool = False,
    progress: Progress = silent,
) -> ExamOutcome:
    """Put the questions about a folder of scenes to a model, and store its replies in `out`.

    `model` is `provider/model`, `file.py:Class` or a model itself; without `scenes` they are those
    of SocialNav-SUB as fetched. `resume` goes on with an exam that was interrupted.
    """
    paper = prepare(model, scenes, options=options, progress=progress)
    total = paper.questions
    return conduct(
        paper, out=out, resume=resume, watch=lambda tally: progress("asking", tally.done, total)
    )


def estimate(
    model: str | VisionModel,
    scenes: Path | None = None,
    *,
    options: AskOptions = DEFAULTS,
    progress: Progress = silent,
) -> ExamEstimate:
    """What an exam will take in requests, tokens and money; nothing is sent."""
    return prepare(model, scenes, options=options, progress=progress).estimate()


def prepare(
    model: str | VisionModel,
    scenes: Path | None = None,
    *,
    options: AskOptions = DEFAULTS,
    progress: Progress = silent,
) -> Paper:
    """Read the scenes, the wording and, where they are told, people's answers."""
    if isinstance(model, str):
        model_class(model)  # a wrong name is told before scenes are read
    _ = options.running  # and so is a number that makes no sense
    prices = read_prices(options.prices)
    folder = open_scenes(scenes or data_dir() / "socialnav-sub")
    wording = wording_in(folder.folder, options.wording)
    found = overview(folder, limit=options.limit, progress=progress)
    people: Mapping[tuple[str, str], Option] = {}
    if options.method is Method.CHAIN_HUMAN:
        labels = read_labels(options.labels or folder.folder)
        check_origin(labels, staged=holds_staged(folder.folder), whose=str(folder.folder))
        people = labels.most_common()
        found = with_answers_of(people, found)
    if not found.scenes:
        first = found.unreadable[0]
        raise MissingData(f"no scene can be asked about; {first.scene}: {first.reason}")
    presentation = Presentation(
        layout=options.images,
        drawing=_drawing(options, found),
        wording=wording,
        largest_px=options.largest_px,
    )
    ours = drawing_of(found.scenes) is Drawing.PASEO
    return Paper(
        model=model,
        found=found,
        examiner=WordedExaminer(presentation=presentation, method=options.method, people=people),
        plan=_plan(model, options, presentation, found, people, folder.folder),
        options=options,
        prices=prices,
        redrawn=bool(options.probes) and options.drawing is None and not ours,
    )


def conduct(
    paper: Paper,
    *,
    out: Path | None = None,
    resume: bool = False,
    watch: Callable[[Tally], None] = lambda tally: None,
    stopper: Stopper | None = None,
) -> ExamOutcome:
    """Ask what is not answered yet, and tell how it went; `watch` sees the tally grow."""
    caps, out = paper.options.caps, out or default_folder(paper.plan)
    request = NOTHING if caps == Caps() else paper.estimate().request
    budget = Budget(caps, price=paper.price, estimate=request)
    model = paper.model
    if isinstance(model, str):
        model = make_model(model, paper.options.settings)
    paper = replace(paper, plan=replace(paper.plan, name=model.name))
    with _held(out, paper, resume=resume) as store:
        exam = Exam(
            model,
            paper.examiner,
            store=store,
            budget=budget,
            key=key_maker(paper.plan.model, paper.plan.settings),
            options=paper.options.running,
            watch=watch,
        )
        (stopper or Stopper()).attach(exam)
        finished = paper.finished(store.answered())
        for scene in finished:
            exam.recall(scene)
        tally = exam.run(paper.sessions(without=finished))
    return ExamOutcome(
        folder=out,
        plan=paper.plan,
        tally=tally,
        questions=paper.questions,
        unreadable=(*paper.found.unreadable, *tally.unreadable),
    )


def default_folder(plan: ExamPlan) -> Path:
    """Where an exam goes: the same for the same model, so that a second run finds the first."""
    model = re.sub(r"[^A-Za-z0-9._-]+", "-", plan.model).strip("-.") or "model"
    probes = "-probes" if len(plan.variants) > 1 else ""
    return Path("exams") / f"{model[-80:]}-{plan.method.value}-{plan.images.value}{probes}"


def _plan(
    model: str | VisionModel,
    options: AskOptions,
    presentation: Presentation,
    found: Overview,
    people: Mapping[tuple[str, str], Option],
    source: Path,
) -> ExamPlan:
    settings = asdict(options.settings)
    del settings["timeout_s"]  # it decides nothing but how long to wait
    return ExamPlan(
        model=model if isinstance(model, str) else model.name,
        settings=settings,
        method=options.method,
        images=presentation.layout,
        drawing=presentation.drawing,
        wording=presentation.wording.source,
        wording_hash=presentation.wording.hash,
        repeats=options.repeats,
        together=options.together,
        largest_px=presentation.largest_px,
        variants=(PLAIN, *(probe.value for probe in options.probes)),
        labels_hash=told_hash(people) if options.method is Method.CHAIN_HUMAN else "",
        source=str(source.resolve()),
        staged=holds_staged(source) or msgspec.UNSET,
        scenes=found.asked,
    )


def _drawing(options: AskOptions, found: Overview) -> Drawing:
    """Who draws; a probe and what it is held against need pictures on which nothing is drawn."""
    if not options.probes:
        return drawing_of(found.scenes, options.drawing)
    if options.drawing is Drawing.DATASET:
        raise BadValue(
            "probes change scenes before they are drawn, and in the data set's own pictures the "
            "marks are part of them; use drawing paseo",
            parameters=["drawing"],
        )
    return options.drawing or Drawing.PASEO


@contextmanager
def _held(out: Path, paper: Paper, *, resume: bool) -> Iterator[ReplyStore]:
    """The store of an exam that is new, or finished, or to be gone on with."""
    with ExamFolder(out) as folder:
        begun = folder.exists
        if resume and not begun:
            raise InputError(
                f"{out} holds no exam to go on with; to begin one, omit resume",
                parameters=["resume"],
            )
        plan = folder.hold(paper.plan)
        if begun and not resume and not _is_finished(folder, paper):
            raise InputError(
                f"{out} holds an exam that is not finished; finish it with resume or choose "
                "another out",
                parameters=["resume", "out"],
            )
        folder.write(plan)
        with closing(ReplyStore(folder.replies)) as store:
            yield store


def _is_finished(folder: ExamFolder, paper: Paper) -> bool:
    with closing(ReplyStore(folder.replies)) as store:
        return len(paper.finished(store.answered())) == len(paper.plan.scenes)
