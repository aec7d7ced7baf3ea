"""`paseo ask`."""

import argparse
import json
import math
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from paseo.cli.arguments import Commands, Parser, add_command, natural, positive
from paseo.cli.screen import bar, interrupt, output, say
from paseo.cli.vqa.scenes import LARGEST_HELP, add_picture_options
from paseo.cli.vqa.waypoints import RUNS, add_waypoint_options, ask_waypoints, check_questions
from paseo.errors import BadValue, PaseoError
from paseo.stopping import INTERRUPTED

if TYPE_CHECKING:
    from paseo.vlm.models import ModelSettings
    from paseo.vqa.exam.asking import AskOptions, ExamOutcome, Paper, Stopper
    from paseo.vqa.exam.budget import Tally
    from paseo.world.scenes import Unreadable

MOST_NAMED = 5  # failures
METHODS = ["independent", "chain", "chain-human", "reason"]


def add_ask_command(commands: Commands) -> None:
    """`paseo ask`."""
    ask = add_command(
        commands, "ask", "put the questions about scenes to a model", "vqa.ask", "ask"
    )
    ask.add_argument(
        "model", metavar="MODEL", help="provider/model, see `paseo list models`; or file.py:Class"
    )
    add_waypoint_options(ask)
    _add_what(ask)
    _add_how(ask)
    _add_caps(ask)


def _add_what(ask: Parser) -> None:
    """What decides the replies."""
    ask.add_argument(
        "--scenes", type=Path, metavar="DIR", help="where scenes are (default: SocialNav-SUB)"
    )
    ask.add_argument(
        "--method",
        choices=METHODS,
        default="chain",
        help="what a model is told before a question (default: chain, its earlier answers)",
    )
    add_picture_options(ask)
    ask.add_argument("--largest-px", type=positive, metavar="N", help=LARGEST_HELP)
    ask.add_argument(
        "--wording",
        choices=["dataset", "paseo"],
        help="whose sentences (default: the data set's own where it has any)",
    )
    ask.add_argument(
        "--labels", type=Path, metavar="DIR", help="people's answers, for --method chain-human"
    )
    ask.add_argument(
        "--probe",
        metavar="NAME[,NAME...]",
        help="ask again with the scene changed: mirror, renumber, shuffle",
    )
    ask.add_argument(
        "--together", type=positive, default=1, metavar="N", help="questions per request"
    )
    ask.add_argument(
        "--repeats",
        type=positive,
        metavar="N",
        help="how often each is asked (default: 1; waypoints 5)",
    )
    ask.add_argument("--limit", type=positive, metavar="N", help="only the first N scenes")
    _add_answering(ask)


def _add_answering(ask: Parser) -> None:
    """How the model is to answer."""
    ask.add_argument(
        "--temperature", type=_amount, metavar="T", help="and the next three: default the model's"
    )
    ask.add_argument("--max-tokens", type=positive, metavar="N", help="of one reply")
    ask.add_argument("--seed", type=natural, metavar="N", help="sent with every request")
    ask.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a setting of the provider's own, such as reasoning_effort=low",
    )
    ask.add_argument(
        "--reasoning-effort",
        choices=["minimal", "low", "medium", "high"],
        help="how hard the model is to think, in its provider's own setting",
    )
    ask.add_argument(
        "--logprobs",
        nargs="?",
        type=positive,
        const=20,
        metavar="N",
        help="keep log-probabilities of the N likeliest tokens (default: 20), for `paseo score`",
    )
    ask.add_argument(
        "--structured",
        nargs="?",
        choices=["schema", "choice", "guided-choice"],
        const="schema",
        help="hold replies to the choices: a JSON schema (default), or vLLM's list of choices",
    )


def _add_how(ask: Parser) -> None:
    """What decides only how the replies are got."""
    ask.add_argument(
        "--out", type=Path, metavar="DIR", help="default: exams/<model>-<method>-<images>"
    )
    ask.add_argument("--resume", action="store_true", help="ask what is missing in --out")
    ask.add_argument("--dry-run", action="store_true", help="tell what it will take, send nothing")
    ask.add_argument(
        "--batch",
        action="store_true",
        help="send by the provider's batch interface: half the price, within a day",
    )
    ask.add_argument(
        "--concurrency", type=positive, default=8, metavar="N", help="requests at once (default: 8)"
    )
    ask.add_argument("--rate-limit-rpm", type=_above_zero, metavar="N", help="requests per minute")
    ask.add_argument(
        "--retries", type=natural, default=5, metavar="N", help="of a request (default: 5)"
    )
    ask.add_argument(
        "--timeout-s",
        type=_above_zero,
        default=120.0,
        metavar="S",
        help="of a request (default: 120)",
    )
    ask.add_argument(
        "--keep-going", action="store_true", help="even after 50 useless answers in a row"
    )


def _add_caps(ask: Parser) -> None:
    """What an exam may cost."""
    ask.add_argument("--max-usd", type=_amount, metavar="USD", help="stop before spending more")
    ask.add_argument(
        "--max-tokens-total", type=positive, metavar="N", help="stop before using more"
    )
    ask.add_argument(
        "--cache", type=Path, metavar="FILE", help="replies that exams share: ask nothing twice"
    )
    ask.add_argument(
        "--prices", type=Path, metavar="FILE", help="what tokens cost (default: a shipped table)"
    )


def _above_zero(text: str) -> float:
    """A number above 0."""
    if (value := _amount(text)) == 0:
        raise argparse.ArgumentTypeError(f"expected a number above 0, not '{text[:40]}'")
    return value


def _amount(text: str) -> float:
    """A number from 0 on."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"expected a number of 0 or more, not '{text[:40]}'")
    return value


def ask(options: argparse.Namespace) -> int:
    """Put an exam to a model, or say what it will take; print how it went."""
    if options.task == "waypoints":
        return ask_waypoints(options, _ask_options(options), _stopped_in_order, why_unfinished)
    check_questions(options)
    from paseo.report.exam.outcome import estimate_text
    from paseo.vqa.exam.asking import Stopper, conduct, default_folder, prepare

    with bar("scene") as progress:
        paper = prepare(
            options.model, options.scenes, options=_ask_options(options), progress=progress
        )
    if paper.redrawn:
        say("with --probe the drawing is 'paseo': the data set's own pictures cannot be changed")
    _name_unreadable(paper.found.unreadable)
    if options.dry_run:
        output(estimate_text(paper, unpriced="give one with --prices", sized="--largest-px N"))
        return 0
    out, stopper = options.out or default_folder(paper.plan), Stopper()
    try:
        with _watching(paper) as watch, _stopped_in_order(stopper):
            done = conduct(paper, out=out, resume=options.resume, watch=watch, stopper=stopper)
    except (PaseoError, KeyboardInterrupt) as error:
        if not stopper.begun:
            raise
        say(f"what was answered is kept; {_how_to_go_on(out)}")
        if isinstance(error, PaseoError):
            raise
        return INTERRUPTED
    return _told(done)


def _ask_options(options: argparse.Namespace) -> "AskOptions":
    from paseo.vlm.models import Structure
    from paseo.vqa.exam.asking import AskOptions
    from paseo.vqa.pictures.pictures import Drawing, Layout
    from paseo.vqa.probes.probe import probes_in
    from paseo.vqa.prompts.wording import WordingSource
    from paseo.vqa.questions.methods import Method

    return AskOptions(
        method=Method(options.method),
        images=Layout(options.images),
        drawing=Drawing(options.drawing) if options.drawing else None,
        largest_px=options.largest_px,
        wording=WordingSource(options.wording) if options.wording else None,
        labels=options.labels,
        probes=probes_in(options.probe) if options.probe is not None else (),
        limit=options.limit,
        repeats=options.repeats or (RUNS if options.task == "waypoints" else 1),
        together=options.together,
        settings=_settings(options),
        structured=Structure(options.structured) if options.structured else None,
        batch=options.batch,
        concurrency=options.concurrency,
        rate_limit_rpm=options.rate_limit_rpm,
        retries=options.retries,
        keep_going=options.keep_going,
        max_usd=options.max_usd,
        max_tokens_total=options.max_tokens_total,
        prices=options.prices,
        cache=options.cache,
    )


def _settings(options: argparse.Namespace) -> "ModelSettings":
    """How the model is to answer."""
    from paseo.vlm.efforts import effort_settings
    from paseo.vlm.models import ModelSettings

    extra: dict[str, object] = {}
    if options.reasoning_effort:
        extra |= effort_settings(options.model, options.reasoning_effort)
    for word in options.set:
        key, equals, value = word.partition("=")
        if not (key and equals):
            raise BadValue(f"--set {word[:40]}: expected KEY=VALUE such as reasoning_effort=low")
        extra[key] = _value(value)
    return ModelSettings(
        temperature=options.temperature,
        max_tokens=options.max_tokens,
        seed=options.seed,
        logprobs=options.logprobs,
        timeout_s=options.timeout_s,
        extra=extra,
    )


def _value(text: str) -> object:
    """A number, true, false, a JSON list or object; else the text itself."""
    try:
        return json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):
        return text


@contextmanager
def _watching(paper: "Paper") -> "Iterator[Callable[[Tally], None]]":
    """A bar that keeps in step with an exam."""
    from tqdm import tqdm

    from paseo.report.exam.outcome import in_short

    with tqdm(total=paper.questions, unit=" questions", disable=None, smoothing=0) as shown:

        def watch(tally: "Tally") -> None:
            shown.initial = tally.stored  # what was there before says nothing about the speed
            shown.set_postfix_str(in_short(tally), refresh=False)
            shown.update(tally.done - shown.n)

        yield watch


@contextmanager
def _stopped_in_order(stopper: "Stopper") -> Iterator[None]:
    """The first Ctrl-C, or what stops like it, ends the exam in order; the second at once."""
    from paseo.vqa.exam.running import GRACE

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        interrupt(
            f"stopping; waiting up to {GRACE:.0f} s for requests under way, Ctrl-C again drops them"
        )
        stopper.stop()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _told(done: "ExamOutcome") -> int:
    from paseo.cli.vqa.exams import probes_text
    from paseo.report.exam.outcome import summary
    from paseo.vqa.exam.budget import Ending

    tally, out = done.tally, done.folder
    _name_unreadable(tally.unreadable)
    for problem in tally.problems[:MOST_NAMED]:
        say(problem)
    if len(tally.problems) > MOST_NAMED or tally.failed > len(tally.problems):
        say("... and more; all are in the table `failures` of replies.sqlite")
    output(summary(done))
    if len(done.plan.variants) > 1:
        output(f"\n{probes_text(out)}")
    score = f"paseo score {out}\n      " if tally.answered else ""  # nothing else to be scored
    output(f"\nexam: {out}\nnext: {score}paseo exam show {out} --out exam.html")
    if unfinished := why_unfinished(tally):
        say(f"{unfinished}; {_how_to_go_on(out)}")
    if tally.ending is Ending.STOPPED:
        return INTERRUPTED
    return 1 if unfinished else 0


def _name_unreadable(unreadable: "Iterable[Unreadable]") -> None:
    """Say which scenes are left out, and why."""
    for each in unreadable:
        say(f"scene {each.scene} is left out: {each.reason}")


def why_unfinished(tally: "Tally") -> str:
    """Why an exam ended before its end, in words; empty if it did not."""
    from paseo.vqa.exam.budget import Ending
    from paseo.vqa.exam.plan import PATIENCE

    if tally.ending is Ending.SPENT:
        return "stopped before spending more than the limit; raise it to go on"
    if tally.ending is Ending.USELESS:
        return (
            f"paused: {PATIENCE} answers in a row were of no use; look at them with `paseo "
            "exam show`, then go on, with --keep-going if they are what you want"
        )
    if tally.ending is Ending.STOPPED:
        lost = f"; {tally.dropped} requests under way were dropped" if tally.dropped else ""
        left = (
            f"; {tally.batched} requests stay in batches at the provider" if tally.batched else ""
        )
        return f"stopped{lost}{left}"
    return "some questions have no answer" if tally.failed else ""


def _how_to_go_on(out: Path) -> str:
    """What to type."""
    return f"go on with the same words and: --resume --out {out}"
