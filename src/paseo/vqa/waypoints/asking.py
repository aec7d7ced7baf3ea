"""Putting a waypoint exam to a model: read, estimated, asked, and stored as it is answered."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from paseo.data.scenes.dataset import open_scenes
from paseo.data.scenes.origin import holds_staged
from paseo.data.store.locations import data_dir
from paseo.errors import BadValue, InputError, MissingData
from paseo.progress import Progress, silent
from paseo.vlm.making import make_model, model_class
from paseo.vlm.models import Usage, VisionModel
from paseo.vlm.prices import PriceTable, read_prices
from paseo.vqa.exam.asking import AskOptions, Stopper
from paseo.vqa.exam.budget import Budget, Caps, Tally
from paseo.vqa.exam.estimates import NOTHING, request_usage
from paseo.vqa.exam.examiner import WordedExaminer
from paseo.vqa.exam.plan import told_hash
from paseo.vqa.exam.preparing import Overview, overview, scene_hash
from paseo.vqa.exam.running import Exam
from paseo.vqa.exam.sessions import SceneSession, groups, key_maker
from paseo.vqa.exam.store import ReplyStore
from paseo.vqa.pictures.pictures import Drawing
from paseo.vqa.prompts.presentation import Presentation, wording_in
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import Option
from paseo.vqa.questions.votes import check_origin, read_labels
from paseo.vqa.waypoints.contexts import (
    Context,
    Place,
    check_told,
    geometry_answers,
    random_answers,
)
from paseo.vqa.waypoints.examiner import WaypointExaminer, waypoint_sessions
from paseo.vqa.waypoints.futures import future_of
from paseo.vqa.waypoints.mounting import DEFAULT, Mount, mount_of
from paseo.vqa.waypoints.plan import AskedChoice, WaypointFolder, WaypointPlan
from paseo.vqa.waypoints.sampling import USUAL_COUNT, Choice, choice_of
from paseo.world.scenes import Scene, Unreadable

RUNS = 5  # of the paper
UNKNOWN = "nobody knows where its robot went: it has no aftermath, and its odometry ends with it"


@dataclass(frozen=True, slots=True, kw_only=True)
class WaypointOptions:
    """What is told before the choice and among how many it is; how to ask is as in an exam."""

    context: Context = Context.NONE
    candidates: int = USUAL_COUNT
    asking: AskOptions = field(default_factory=lambda: AskOptions(repeats=RUNS))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WaypointPaper:
    """A waypoint exam that is ready to be put."""

    model: str | VisionModel
    found: Overview
    choices: Mapping[str, Choice]
    examiner: WaypointExaminer
    mount: Mount
    plan: WaypointPlan
    options: AskOptions
    prices: PriceTable

    @property
    def questions(self) -> int:
        """How many answers there are to get; with the model's own context also those before."""
        people = [len(scene.people) for scene in self.found.scenes]
        before = [3 + 12 * each if self.plan.context is Context.OWN else 0 for each in people]
        return (sum(before) + len(people)) * self.plan.repeats

    def sessions(self) -> Iterator[SceneSession | Unreadable]:
        """Its scenes, each drawn when its turn comes."""
        return waypoint_sessions(self.found.scenes, self.choices, self.examiner, self.mount)

    def estimate(self) -> tuple[int, Usage, Usage]:
        """Requests, tokens in all, and of the largest request, from the first scene drawn."""
        sample = next((s for s in self.sessions() if isinstance(s, SceneSession)), None)
        if sample is None:
            raise MissingData("no scene can be drawn")
        together, method = self.plan.together, self.plan.method
        usages = [
            request_usage(
                self.examiner.prompt(sample, group, {}),
                model=self.plan.model,
                questions=len(group),
                method=method,
            )
            for group in groups(sample.questions, self.examiner.needs, together=together)
        ]
        share = self.questions / len(sample.questions)
        total = Usage(
            input_tokens=round(share * sum(each.input_tokens for each in usages)),
            output_tokens=round(share * sum(each.output_tokens for each in usages)),
        )
        largest = max(usages, key=lambda each: each.input_tokens + each.output_tokens)
        return round(share * len(usages)), total, largest


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WaypointOutcome:
    """How a waypoint exam went."""

    folder: Path
    plan: WaypointPlan
    tally: Tally
    questions: int
    unreadable: tuple[Unreadable, ...]  # scenes that were left out


DEFAULTS = WaypointOptions()


def ask_waypoints(
    model: str | VisionModel,
    scenes: Path | None = None,
    *,
    out: Path | None = None,
    options: WaypointOptions = DEFAULTS,
    resume: bool = False,
    progress: Progress = silent,
) -> WaypointOutcome:
    """Let a model choose among candidate waypoints of each scene, and store its replies in `out`.

    One of the candidates is where the robot really went. Scenes of which nobody knows that are
    left out and named.
    """
    paper = prepare_waypoints(model, scenes, options=options, progress=progress)
    total = paper.questions
    return conduct_waypoints(
        paper, out=out, resume=resume, watch=lambda tally: progress("asking", tally.done, total)
    )


def prepare_waypoints(
    model: str | VisionModel,
    scenes: Path | None = None,
    *,
    options: WaypointOptions = DEFAULTS,
    progress: Progress = silent,
) -> WaypointPaper:
    """Read the scenes and what followed them, and draw the candidates by lot."""
    asking = options.asking
    if isinstance(model, str):
        model_class(model)
    _ = asking.running
    if asking.method is Method.CHAIN_HUMAN or asking.probes:
        raise BadValue(
            "people's answers are told before a choice of waypoints with context people, and "
            "nothing is probed; omit method chain-human and probes",
            parameters=("context", "method"),
        )
    prices = read_prices(asking.prices)
    folder = open_scenes(scenes or data_dir() / "socialnav-sub")
    found, choices = _chosen(
        overview(folder, limit=asking.limit, progress=progress), folder.folder, options
    )
    told = _told(found, folder.folder, options)
    found = _with_answers(found, told, options.context)
    if not found.scenes:
        first = found.unreadable[0]
        raise MissingData(f"no scene can be asked about; {first.scene}: {first.reason}")
    presentation = Presentation(
        layout=asking.images,
        drawing=asking.drawing or Drawing.PASEO,
        wording=wording_in(folder.folder, asking.wording),
        largest_px=asking.largest_px,
    )
    mount = mount_of(folder.folder)
    worded = WordedExaminer(presentation=presentation, method=asking.method)
    return WaypointPaper(
        model=model,
        found=found,
        choices=choices,
        examiner=WaypointExaminer(worded=worded, context=options.context, told=told),
        mount=mount,
        plan=_plan(model, options, presentation, found, choices, told, folder.folder, mount),
        options=asking,
        prices=prices,
    )


def conduct_waypoints(
    paper: WaypointPaper,
    *,
    out: Path | None = None,
    resume: bool = False,
    watch: Callable[[Tally], None] = lambda tally: None,
    stopper: Stopper | None = None,
) -> WaypointOutcome:
    """Ask what is not answered yet, and tell how it went."""
    out, caps = out or waypoint_folder(paper.plan), paper.options.caps
    request = NOTHING if caps == Caps() else paper.estimate()[2]
    budget = Budget(caps, price=paper.prices.of(paper.plan.model), estimate=request)
    model = paper.model
    if isinstance(model, str):
        model = make_model(model, paper.options.settings)
    plan = replace(paper.plan, name=model.name)
    with _held(out, plan, resume=resume) as store:
        exam = Exam(
            model,
            paper.examiner,
            store=store,
            budget=budget,
            key=key_maker(plan.model, plan.settings),
            options=paper.options.running,
            watch=watch,
        )
        (stopper or Stopper()).attach(exam)
        tally = exam.run(paper.sessions())
    return WaypointOutcome(
        folder=out,
        plan=plan,
        tally=tally,
        questions=paper.questions,
        unreadable=(*paper.found.unreadable, *tally.unreadable),
    )


def waypoint_folder(plan: WaypointPlan) -> Path:
    """Where an exam goes: the same for the same model and context."""
    model = re.sub(r"[^A-Za-z0-9._-]+", "-", plan.model).strip("-.") or "model"
    return Path("exams") / f"{model[-80:]}-waypoints-{plan.context.value}-{plan.images.value}"


def _chosen(
    found: Overview, folder: Path, options: WaypointOptions
) -> tuple[Overview, dict[str, Choice]]:
    """The scenes whose robot's way on is known, with the candidates of each."""
    kept: list[Scene] = []
    out, choices = list(found.unreadable), dict[str, Choice]()
    for scene in found.scenes:
        try:
            future = future_of(folder, scene)
        except InputError as error:
            out.append(Unreadable(scene.id, (str(error),)))
            continue
        if future is None:
            out.append(Unreadable(scene.id, (UNKNOWN,)))
            continue
        went, horizon = future
        choices[scene.id] = choice_of(scene, went, horizon, count=options.candidates)
        kept.append(scene)
    return Overview(scenes=tuple(kept), unreadable=tuple(out)), choices


def _told(found: Overview, folder: Path, options: WaypointOptions) -> dict[Place, Option]:
    """Somebody else's answers that are told, by scene and question key."""
    told: dict[Place, Option] = {}
    context = options.context
    if context is Context.PEOPLE:
        labels = read_labels(options.asking.labels or folder)
        check_origin(labels, staged=holds_staged(folder), whose=str(folder))
        told = labels.most_common()
    for scene in found.scenes:
        if context is Context.RANDOM:
            told |= random_answers(scene)
        elif context is Context.GEOMETRY:
            told |= geometry_answers(options.asking.labels or folder, scene)
    if found.scenes:
        check_told(told, context, folder)
    return told


def _with_answers(found: Overview, told: Mapping[Place, Option], context: Context) -> Overview:
    if context not in (Context.PEOPLE, Context.GEOMETRY):
        return found
    known = {scene for scene, _ in told}
    lacking = [scene.id for scene in found.scenes if scene.id not in known]
    why = "nobody's answers to it are among the labels"
    return Overview(
        scenes=tuple(scene for scene in found.scenes if scene.id in known),
        unreadable=(*found.unreadable, *(Unreadable(each, (why,)) for each in lacking)),
    )


def _plan(
    model: str | VisionModel,
    options: WaypointOptions,
    presentation: Presentation,
    found: Overview,
    choices: Mapping[str, Choice],
    told: Mapping[Place, Option],
    source: Path,
    mount: Mount,
) -> WaypointPlan:
    settings = options.asking.settings.deciding
    ids = {scene.id for scene in found.scenes}
    return WaypointPlan(
        model=model if isinstance(model, str) else model.name,
        settings=settings,
        context=options.context,
        method=options.asking.method,
        images=presentation.layout,
        drawing=presentation.drawing,
        wording=presentation.wording.source,
        wording_hash=presentation.wording.hash,
        repeats=options.asking.repeats,
        together=options.asking.together,
        largest_px=presentation.largest_px,
        told_hash=told_hash({place: each for place, each in told.items() if place[0] in ids}),
        scenes=tuple(_asked(scene, choices[scene.id]) for scene in found.scenes),
        source=str(source.resolve()),
        mounted=mount_words(mount),
    )


def mount_words(mount: Mount) -> str:
    """Where the camera is taken to be, for whoever reads the exam."""
    place = f"{mount.height:g} m above the ground, {mount.forward:g} m before the middle"
    if mount.is_known:
        return place
    return f"{place}: a guess, that of the preset {DEFAULT}, since the folder does not tell"


def _asked(scene: Scene, choice: Choice) -> AskedChoice:
    return AskedChoice(
        id=scene.id,
        hash=scene_hash(scene),
        places=tuple((round(x, 3), round(y, 3)) for x, y in choice.candidates.places.tolist()),
        horizon_s=choice.candidates.horizon,
        true=choice.rules["truth"],
        straight=choice.rules["straight"],
    )


@contextmanager
def _held(out: Path, plan: WaypointPlan, *, resume: bool) -> Iterator[ReplyStore]:
    with WaypointFolder(out) as folder:
        begun = folder.hold(plan)
        if resume and not begun:
            raise InputError(
                f"{out} holds no waypoint exam to go on with; to begin one, omit resume",
                parameters=("resume",),
            )
        if not begun:
            folder.note(msgspec.to_builtins(plan))
        with closing(ReplyStore(folder.replies)) as store:
            yield store
