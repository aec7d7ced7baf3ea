"""Does a model keep the contract that exams rely on?"""

import inspect
import io
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

from PIL import Image

from paseo.checks.contract import ContractBroken, refuse
from paseo.text import error_words
from paseo.vlm.failures import ModelError, TryAgain
from paseo.vlm.faults import reply_faults
from paseo.vlm.models import ModelSettings, Picture, Prompt, PromptQuestion, VisionModel

THREADS = 4
ROUNDS = 2  # of all threads asking at once
LONG = 20_000  # characters of text
QUESTION = 'Where is person {}?\n\nPossible answers: "ahead of", "behind"\n\n{{"answer": "..."}}'
ASKED = (PromptQuestion(key="q_place", choices=("ahead of", "behind")),)
PLAIN = "a question with a picture"

Make = Callable[..., VisionModel]


def check_model(make: Make, *, model: str = "") -> None:
    """Raise `ContractBroken` unless models made by `make` can be put to an exam.

    `make` is a class that is given the name `model` and `ModelSettings`, or a function without
    arguments. Models must have a name; answer a question with a picture, and answer or raise a
    `ModelError` when there are several pictures, a film, none, a long text, or letters of any
    script; leave what they are handed as it is; forget what they were asked; and be asked by
    several threads at once. About thirty requests are made. A model that answers the same question
    differently each time is warned about: whether it remembers cannot be told then.
    """
    one, another = _made(make, model), _made(make, model)
    prompts = _prompts()
    faults = _asking_faults(one, prompts)
    refuse(faults)
    before = _words(one, prompts[PLAIN])
    if _differ(before, _words(another, prompts[PLAIN])):
        warnings.warn(
            f"{one.name} answers the same question differently each time, so whether it remembers "
            "or mixes up its questions cannot be told; try temperature 0",
            stacklevel=2,
        )
        refuse(_thread_faults(another, None))
        return
    refuse(_memory_faults(one, another, prompts))
    refuse(_thread_faults(another, one))


def _made(make: Make, model: str) -> VisionModel:
    if not callable(make):
        raise ContractBroken(
            f"check_model got {make!r:.80}, expected the model's class or a function that makes "
            "models"
        )
    given = (model, ModelSettings()) if inspect.isclass(make) else ()
    words = "a name and ModelSettings" if given else "no arguments"
    try:
        made = make(*given)
    except Exception as error:
        raise ContractBroken(
            f"a model cannot be made with {words} ({error_words(error)})"
        ) from error
    if not callable(getattr(made, "ask", None)):
        raise ContractBroken(f"{type(made).__name__} has no method ask()")
    name = getattr(made, "name", None)
    if not isinstance(name, str) or not name.strip():
        raise ContractBroken(f"{type(made).__name__}.name is {name!r:.80}, expected provider/model")
    return made


def _prompts() -> dict[str, Prompt]:
    """What a model must cope with, by what is special about it."""
    pictures = tuple(_picture(shade) for shade in range(10))
    text, long = QUESTION.format(1), ("word " * LONG)[:LONG]
    every = {
        PLAIN: Prompt(text=text, images=pictures[:1], id="scene/q_1"),
        "ten pictures": Prompt(text=text, images=pictures, id="scene/q_2"),
        "a film": Prompt(text=text, images=pictures, fps=4.0, id="scene/q_3"),
        "no picture": Prompt(text=text, id="scene/q_4"),
        "a long text": Prompt(text=long + text, images=pictures[:1]),
        "letters of any script": Prompt(text=f"¿Dónde? どこ 🤖\n{text}", images=pictures[:1]),
    }
    return {what: replace(prompt, questions=ASKED) for what, prompt in every.items()}


def _picture(shade: int) -> Picture:
    file = io.BytesIO()
    Image.new("RGB", (64, 48), (25 * shade, 90, 160)).save(file, "JPEG")
    return Picture(file.getvalue())


def _asking_faults(model: VisionModel, prompts: dict[str, Prompt]) -> list[str]:
    """What is wrong with the replies to each kind of prompt."""
    faults = []
    for what, prompt in prompts.items():
        before = (prompt.text, tuple(each.hash for each in prompt.images), prompt.fps, prompt.id)
        try:
            reply = model.ask(prompt)
        except ModelError as error:
            if what == PLAIN:
                return [f"{what}: was not answered ({error})"]
        except Exception as error:
            faults.append(
                f"{what}: ask() raised {type(error).__name__} ({error}), expected a kind of "
                "ModelError, which says what to do about it"
            )
        else:
            faults += [f"{what}: {problem}" for problem in reply_faults(reply)]
        pictures = tuple(Picture(each.content).hash for each in prompt.images)
        if before != (prompt.text, pictures, prompt.fps, prompt.id):
            faults.append(f"{what}: ask() changed the prompt; copy what you want to change")
    return faults


def _memory_faults(one: VisionModel, another: VisionModel, prompts: dict[str, Prompt]) -> list[str]:
    """Whether a model that was asked many things answers as one that was asked little."""
    for what, prompt in prompts.items():
        if _differ(_words(one, prompt), _words(another, prompt)):
            return [
                f"{what}: a model that was asked other things before answered differently; ask() "
                "must forget what it was asked"
            ]
    return []


def _thread_faults(model: VisionModel, alone: VisionModel | None) -> list[str]:
    """What goes wrong when threads ask at once; replies must be those of a model asked alone."""
    picture = _picture(0)
    prompts = [
        Prompt(text=QUESTION.format(k), images=(picture,), questions=ASKED) for k in range(THREADS)
    ]
    expected = [_words(alone, prompt) for prompt in prompts] if alone else None
    start = Barrier(THREADS)

    def ask(prompt: Prompt) -> str | None:
        start.wait(60)
        return _words(model, prompt)

    with ThreadPoolExecutor(THREADS) as pool:
        for _ in range(ROUNDS):
            try:
                replies = list(pool.map(ask, prompts))
            except Exception as error:
                return [f"asked by {THREADS} threads at once, ask() raised {error!r:.200}"]
            if expected and any(map(_differ, replies, expected)):
                return [
                    f"asked by {THREADS} threads at once, a question got the answer to another, or "
                    "a wrong one; keep nothing in the model while it answers"
                ]
    return []


def _words(model: VisionModel, prompt: Prompt) -> str | None:
    """The reply's text, or how the model fails; None where it would answer another time."""
    try:
        return model.ask(prompt).text
    except TryAgain:
        return None
    except ModelError as error:
        return type(error).__name__


def _differ(one: str | None, another: str | None) -> bool:
    return one is not None and another is not None and one != another
