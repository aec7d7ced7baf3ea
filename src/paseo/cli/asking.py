"""`paseo ask`."""

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType

from tqdm import tqdm

from paseo.cli.ask_paper import Paper, default_folder, paper_of, settings_of
from paseo.cli.ask_telling import (
    estimate_text,
    how_to_go_on,
    name_problems,
    name_unreadable,
    on,
    say,
    summary,
    why_unfinished,
)
from paseo.cli.exam_probes import probes_text
from paseo.errors import InputError, MissingData, PaseoError
from paseo.vlm.making import make_model, model_class
from paseo.vlm.models import VisionModel
from paseo.vlm.prices import Price, read_prices
from paseo.vqa.exam.budget import Budget, Caps
from paseo.vqa.exam.estimates import NOTHING, ExamEstimate, estimate
from paseo.vqa.exam.options import PATIENCE, STALL, ExamOptions
from paseo.vqa.exam.plan import ExamFolder
from paseo.vqa.exam.running import GRACE, Exam
from paseo.vqa.exam.sessions import SceneSession, key_maker
from paseo.vqa.exam.store import ReplyStore
from paseo.vqa.exam.tally import Ending, Tally

INTERRUPTED = 130


def ask(options: argparse.Namespace) -> int:
    """Put an exam to a model, or say what it will take; print how it went."""
    model_class(options.model)  # a wrong name is told before scenes are read
    settings, terms, prices = settings_of(options), _terms(options), read_prices(options.prices)
    price = prices.of(options.model)
    caps = Caps(usd=options.max_usd, tokens=options.max_tokens_total)
    paper = paper_of(options)
    name_unreadable(paper.found.unreadable)
    if options.dry_run:
        print(estimate_text(_expected(paper, price), paper.plan, prices, price))
        return 0
    request = NOTHING if caps == Caps() else _expected(paper, price).request
    budget = Budget(caps, price=price, estimate=request)
    model: VisionModel = make_model(options.model, settings)
    paper = replace(paper, plan=replace(paper.plan, name=model.name))
    out = options.out or default_folder(paper.plan)
    with _held(out, paper, resume=options.resume) as store:
        try:
            tally = _put(paper, model, store, budget=budget, terms=terms)
        except (PaseoError, KeyboardInterrupt):
            say(f"what was answered is kept; {how_to_go_on(out)}")
            raise
    return _told(tally, paper, out)


def _expected(paper: Paper, price: Price | None) -> ExamEstimate:
    """The estimate, from the pictures of the first scene that can be drawn."""
    for sample in paper.sittings():
        if isinstance(sample, SceneSession):
            return estimate(sample, examiner=paper.examiner, plan=paper.plan, price=price)
        reason = sample.reason
    raise MissingData(f"no scene can be drawn: {reason}")


@contextmanager
def _held(out: Path, paper: Paper, *, resume: bool) -> Iterator[ReplyStore]:
    """The store of an exam that is new, or finished, or to be gone on with."""
    with ExamFolder(out) as folder:
        begun = folder.exists
        if resume and not begun:
            raise InputError(f"{out} holds no exam to resume; leave --resume away to begin one")
        plan = folder.hold(paper.plan)
        if begun and not resume and not _is_finished(folder, paper):
            raise InputError(
                f"{out} holds an exam that is not finished; finish it with --resume or choose "
                "another --out"
            )
        folder.write(plan)
        with closing(ReplyStore(folder.replies)) as store:
            yield store


def _is_finished(folder: ExamFolder, paper: Paper) -> bool:
    with closing(ReplyStore(folder.replies)) as store:
        return len(paper.finished(store.answered())) == len(paper.found.scenes)


def _terms(options: argparse.Namespace) -> ExamOptions:
    return ExamOptions(
        repeats=options.repeats,
        together=options.together,
        concurrency=options.concurrency,
        per_minute=options.rate_limit_rpm,
        retries=options.retries,
        patience=None if options.keep_going else PATIENCE,
        stall_s=STALL * options.timeout_s,
    )


def _put(
    paper: Paper, model: VisionModel, store: ReplyStore, *, budget: Budget, terms: ExamOptions
) -> Tally:
    plan = paper.plan
    with tqdm(total=paper.questions, unit=" questions", disable=None, smoothing=0) as bar:
        exam = Exam(
            model,
            paper.examiner,
            store=store,
            budget=budget,
            key=key_maker(plan.model, plan.settings),
            terms=terms,
            watch=on(bar),
        )
        with _stopped_by_ctrl_c(exam):
            finished = paper.finished(store.answered())
            for scene in finished:
                exam.recall(scene)
            return exam.run(paper.sittings(without=finished))


@contextmanager
def _stopped_by_ctrl_c(exam: Exam) -> Iterator[None]:
    """The first Ctrl-C ends the exam in order, the second at once."""

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        print(
            f"\npaseo: stopping; waiting up to {GRACE:.0f} s for requests under way, "
            "Ctrl-C again drops them",
            file=sys.stderr,
        )
        exam.stop()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _told(tally: Tally, paper: Paper, out: Path) -> int:
    name_unreadable(tally.unreadable)
    name_problems(tally)
    print(summary(tally, questions=paper.questions, model=paper.plan.model))
    if len(paper.plan.variants) > 1:
        print(f"\n{probes_text(out)}")
    print(f"\nexam: {out}\nnext: paseo score {out}\n      paseo exam show {out} --out exam.html")
    if unfinished := why_unfinished(tally):
        say(f"{unfinished}; {how_to_go_on(out)}")
    if tally.ending is Ending.STOPPED:
        return INTERRUPTED
    return 1 if unfinished else 0
