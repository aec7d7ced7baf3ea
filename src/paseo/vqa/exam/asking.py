"""Putting an exam to a model: what to ask, what it will take, and asking it."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from paseo.errors import BadValue, InputError
from paseo.progress import Progress, silent
from paseo.vlm.batches import TakesBatches
from paseo.vlm.making import make_model
from paseo.vlm.models import Usage, VisionModel
from paseo.vqa.exam.batching.ledger import Ledger
from paseo.vqa.exam.batching.running import BatchExam
from paseo.vqa.exam.budget import Budget, Caps, Tally
from paseo.vqa.exam.estimates import NOTHING, ExamEstimate, request_usage
from paseo.vqa.exam.paper.options import DEFAULTS, AskOptions
from paseo.vqa.exam.paper.paper import Paper, prepare
from paseo.vqa.exam.plan import ExamFolder, ExamPlan
from paseo.vqa.exam.running import Exam
from paseo.vqa.exam.sessions import Request, SceneSession, key_maker
from paseo.vqa.exam.sharing.cache import ReplyCache, who_answers
from paseo.vqa.exam.store import ReplyStore
from paseo.world.scenes import Unreadable

__all__ = ["AskOptions", "ExamOutcome", "Paper", "Stopper", "ask", "conduct", "default_folder",
           "estimate", "prepare"]  # fmt: skip


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
        self._exam: Exam | BatchExam | None = None
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

    def attach(self, exam: Exam | BatchExam) -> None:
        """The exam that is to be stopped."""
        self._exam = exam
        if self._stopped:
            exam.stop()


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
    with _held(out, paper, resume=resume) as store, _shared(paper) as shared:
        how: dict[str, Any] = {
            "store": store,
            "budget": budget,
            "key": key_maker(paper.plan.model, paper.plan.settings),
            "options": paper.options.running,
            "shared": shared,
            "watch": watch,
        }
        put = _put_in_batches if paper.options.batch else _put
        tally = put(paper, model, stopper or Stopper(), how)
    return ExamOutcome(
        folder=out,
        plan=paper.plan,
        tally=tally,
        questions=paper.questions,
        unreadable=(*paper.found.unreadable, *tally.unreadable),
    )


def _put(paper: Paper, model: VisionModel, stopper: Stopper, how: dict[str, Any]) -> Tally:
    """Ask one by one, many at once."""
    store: ReplyStore = how["store"]
    if Ledger(store, paper.catalogue).in_flight():
        raise InputError(
            f"{store.path.parent}: a batch of this exam is still at the provider's, and paid for; "
            "go on with batch",
            parameters=["batch"],
        )
    exam = Exam(model, paper.examiner, **how)
    stopper.attach(exam)
    finished = paper.finished(store.answered())
    for scene in finished:
        exam.recall(scene, paper.catalogue)
    return exam.run(paper.sessions(without=finished))


def _put_in_batches(
    paper: Paper, model: VisionModel, stopper: Stopper, how: dict[str, Any]
) -> Tally:
    """Ask in rounds, by the provider's batch interface."""
    store: ReplyStore = how["store"]

    def begin() -> tuple[set[str], Iterator[SceneSession | Unreadable]]:
        finished = paper.finished(store.answered())
        return finished, paper.sessions(without=finished)

    if not isinstance(model, TakesBatches):
        raise BadValue(f"'{model.name}' takes no batches; leave batch out", parameters=["batch"])
    exam = BatchExam(
        model.batches(),
        paper.examiner,
        catalogue=paper.catalogue,
        reserve=_reserve(paper, how["budget"]),
        **how,
    )
    stopper.attach(exam)
    return exam.run(begin)


def _reserve(paper: Paper, budget: Budget) -> Callable[[Request], Usage]:
    """What a request may come to: its own prompt, and the longest reply that is allowed."""
    plan, most = paper.plan, paper.options.settings.max_tokens
    if paper.options.caps == Caps() or most is None:
        return lambda request: NOTHING

    def reserve(request: Request) -> Usage:
        about = request_usage(
            request.prompt, model=plan.model, questions=len(request.questions), method=plan.method
        )
        sent = max(about.input_tokens, budget.largest.input_tokens)
        return Usage(input_tokens=sent, output_tokens=most)

    return reserve


def default_folder(plan: ExamPlan) -> Path:
    """Where an exam goes: the same for the same model, so that a second run finds the first."""
    model = re.sub(r"[^A-Za-z0-9._-]+", "-", plan.model).strip("-.") or "model"
    probes = "-probes" if len(plan.variants) > 1 else ""
    return Path("exams") / f"{model[-80:]}-{plan.method.value}-{plan.images.value}{probes}"


@contextmanager
def _shared(paper: Paper) -> Iterator[ReplyCache | None]:
    """The replies that exams share, where these are wanted."""
    if paper.options.cache is None:
        yield None
        return
    with closing(ReplyCache(paper.options.cache, who_answers(paper.plan.model))) as cache:
        yield cache


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
