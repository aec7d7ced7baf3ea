"""An exam before it is put: its scenes are read, its plan is made, its cost can be told."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from paseo.data.scenes.dataset import open_scenes
from paseo.data.scenes.images import Size
from paseo.data.scenes.origin import holds_staged
from paseo.data.store.locations import data_dir
from paseo.errors import BadValue, MissingData
from paseo.progress import Progress, silent
from paseo.vlm.batches import PRICE
from paseo.vlm.making import model_class
from paseo.vlm.models import Structure, VisionModel
from paseo.vlm.prices import Price, PriceTable, read_prices
from paseo.vqa.exam.estimates import SIDES, ExamEstimate, exam_estimate, in_sizes
from paseo.vqa.exam.examiner import WordedExaminer
from paseo.vqa.exam.paper.options import DEFAULTS, AskOptions
from paseo.vqa.exam.plan import AskedScene, ExamPlan, told_hash
from paseo.vqa.exam.preparing import Overview, overview, sessions, with_answers_of
from paseo.vqa.exam.sessions import SceneSession
from paseo.vqa.exam.sharing.cache import who_answers
from paseo.vqa.pictures.pictures import Drawing, drawing_of, picture_size, sent_px
from paseo.vqa.probes.probe import PLAIN, variants_for
from paseo.vqa.prompts.presentation import Presentation, wording_in
from paseo.vqa.questions.methods import Method, asked
from paseo.vqa.questions.questions import Option, questions
from paseo.vqa.questions.votes import check_origin, read_labels
from paseo.world.scenes import Unreadable

UNTOLD = ("anthropic", "local", "recorded", "scripted")  # that tell no log-probabilities
UNHELD = ("local", "recorded")  # providers that send no form of replies


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
        """What the model's tokens cost, the way it is asked; None where that is not known."""
        price = self.prices.of(self.plan.model)
        return price.times(PRICE) if price and self.options.batch else price

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

    @property
    def size(self) -> Size:
        """Width and height of each picture that is sent, as of the first scene."""
        return self._size(self.plan.largest_px)

    def estimates_by_size(self) -> dict[Size, ExamEstimate]:
        """What it would take with pictures of other sizes, the smallest first."""
        sizes = sorted({self.size, *map(self._size, (*SIDES, None))})
        return in_sizes(self.estimate(), sizes, now=self.size, plan=self.plan, price=self.price)

    def _size(self, side: int | None) -> Size:
        how = self.plan
        return picture_size(next(iter(self.found.scenes)), how.images, how.drawing, largest_px=side)

    def _answers_about(self, scene: AskedScene) -> int:
        put = asked(questions(scene.id, scene.people), self.examiner.method)
        return len(put) * self.plan.repeats * len(variants_for(scene.people, self.plan.variants))


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
    _check_structured(model, options)
    _check_batch(model, options)
    _check_logprobs(model, options)
    if options.cache is not None:
        who_answers(model if isinstance(model, str) else model.name)  # or it is not shared
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
        largest_px=sent_px(options.images, options.largest_px),
    )
    ours = drawing_of(found.scenes) is Drawing.PASEO
    return Paper(
        model=model,
        found=found,
        examiner=WordedExaminer(
            presentation=presentation,
            method=options.method,
            people=people,
            structure=options.structured,
        ),
        plan=_plan(model, options, presentation, found, people, folder.folder),
        options=options,
        prices=prices,
        redrawn=bool(options.probes) and options.drawing is None and not ours,
    )


def _check_structured(model: str | VisionModel, options: AskOptions) -> None:
    """Refuse a form that the provider cannot hold replies to."""
    wanted = options.structured
    provider = model.partition("/")[0] if isinstance(model, str) else ""
    if wanted is None:
        return
    if provider in UNHELD:
        raise BadValue(
            f"models of '{provider}' cannot be held to a form; leave structured out",
            parameters=["structured"],
        )
    if wanted is Structure.SCHEMA:
        return
    if provider in ("anthropic", "gemini"):
        raise BadValue(
            f"only servers of vLLM take a list of choices; for {provider} use structured schema",
            parameters=["structured"],
        )
    if options.together > 1 or options.method is Method.REASON:
        raise BadValue(
            "a list of choices is for one question without written reasoning; use structured "
            "schema",
            parameters=["structured"],
        )


def _check_logprobs(model: str | VisionModel, options: AskOptions) -> None:
    """Refuse models that tell no log-probabilities."""
    provider = model.partition("/")[0] if isinstance(model, str) else ""
    if options.settings.logprobs is not None and provider in UNTOLD:
        raise BadValue(
            f"models of '{provider}' tell no log-probabilities; those of openai, of servers that "
            "speak like it, and some of gemini do. Leave logprobs out",
            parameters=["logprobs"],
        )


def _check_batch(model: str | VisionModel, options: AskOptions) -> None:
    """Refuse models whose provider has no batch interface."""
    asked = model_class(model)[0] if isinstance(model, str) else type(model)
    if options.batch and not hasattr(asked, "batches"):
        name = model if isinstance(model, str) else model.name
        raise BadValue(
            f"'{name}' takes no batches; those of openai, anthropic and gemini do. Leave batch out",
            parameters=["batch"],
        )


def _plan(
    model: str | VisionModel,
    options: AskOptions,
    presentation: Presentation,
    found: Overview,
    people: Mapping[tuple[str, str], Option],
    source: Path,
) -> ExamPlan:
    settings = options.settings.deciding
    if options.structured is not None:
        settings["structured"] = options.structured.value
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
