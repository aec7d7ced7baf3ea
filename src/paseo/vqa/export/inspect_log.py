"""Answers that an exported task got in inspect_ai, read from its log; needs the extra `inspect`."""

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from paseo.errors import BadFile
from paseo.text import error_words
from paseo.vlm.models import Usage
from paseo.vqa.export.inspect_task import answer_in
from paseo.vqa.export.log_size import check_log
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import Catalogue
from paseo.vqa.questions.raw_answers import Place
from paseo.vqa.scores.sheets import Asking, Sheet

if TYPE_CHECKING:
    from inspect_ai.model import ModelOutput

UNREAD = {"attachments", "events", "messages", "store"}  # most of a log


class _Of(msgspec.Struct):
    """Which question a sample is of."""

    scene: str
    key: str


class _About(msgspec.Struct):
    """What the log of an exported task repeats of how it was made."""

    method: Method | None = None
    images: Layout | None = None
    drawing: Drawing | None = None
    wording: str = ""


def log_sheet(path: Path, catalogue: Catalogue) -> Sheet:
    """The answers in a log of a task that `paseo scenes export` made."""
    from inspect_ai.log import read_eval_log  # `inspect_task` has told if there is none

    found: dict[Place, dict[int, Answer]] = defaultdict(dict)
    askings: list[Asking] = []
    failed = 0
    try:
        check_log(path)
        log = read_eval_log(path, exclude_fields=UNREAD)
        for sample in log.samples or ():
            if sample.error is not None or not sample.output.choices:
                failed += 1
                continue
            of = msgspec.convert(sample.metadata, _Of)
            asked = catalogue.question(of.scene, of.key)
            found[asked.scene, asked.key][sample.epoch] = answer_in(sample.output, asked.kind)
            askings.append(_asking(sample.output))
        about = msgspec.convert(log.eval.metadata or {}, _About)
    except BadFile:
        raise
    except Exception as error:  # damage can raise anything: BadZipFile, ValidationError, KeyError
        what = error_words(error, 200)
        raise BadFile(
            f"{path}: is no log of a task that `paseo scenes export` made ({what}); "
            "run the task again"
        ) from error
    return Sheet(
        model=log.eval.model,
        source=str(path),
        answers={
            place: tuple(answer for _, answer in sorted(epochs.items()))
            for place, epochs in found.items()
        },
        askings=tuple(askings),
        failed=failed,
        method=about.method,
        images=about.images,
        drawing=about.drawing,
        wording=about.wording,
    )


def _asking(output: "ModelOutput") -> Asking:
    usage = output.usage
    if usage is None:
        return Asking(latency_s=output.time or 0.0)
    cached = usage.input_tokens_cache_read or 0
    return Asking(
        latency_s=output.time or 0.0,
        usage=Usage(
            # inspect_ai leaves what was cached out of the input.
            input_tokens=usage.input_tokens + cached + (usage.input_tokens_cache_write or 0),
            output_tokens=usage.output_tokens,
            cached_tokens=cached,
        ),
        cost_usd=usage.total_cost,
    )
