"""Models by name: `provider/model`, or `file.py:Class/model` for one's own."""

import re
from collections.abc import Callable

from paseo.errors import BadValue, PaseoError, UnknownName
from paseo.registry.registry import made
from paseo.vlm.models import ModelSettings, VisionModel
from paseo.vlm.providers import MODELS

_BY_PLACE = re.compile(r"(.+\.py:\w+|[\w.]+:\w+)(?:/(.*))?")


def model_class(reference: str) -> tuple[type[VisionModel], str]:
    """The class behind `provider/model` or `file.py:Class[/model]`, and the model's name."""
    by_place = _BY_PLACE.fullmatch(reference)
    if by_place:
        return MODELS.find(by_place[1]), by_place[2] or ""
    provider, slash, model = reference.partition("/")
    known = MODELS.targets()
    if provider in known and model:
        return MODELS.find(provider), model
    if provider in known:
        problem = f"which one? Write {provider}/MODEL; `paseo list models` names some"
    elif reference.endswith(".py"):
        problem = f"which class? Write {reference}:ClassName"
    elif slash:
        raise UnknownName("provider of models", provider, known)
    else:
        problem = "whose? Write provider/model, such as openai/gpt-4o; see `paseo list models`"
    raise BadValue(f"model '{reference}': {problem}")


def code_place(reference: str) -> str:
    """The `file.py:Class` or `module:Class` that a model's name has imported; empty: none."""
    by_place = _BY_PLACE.fullmatch(reference)
    return by_place[1] if by_place else ""


def make_model(reference: str, settings: ModelSettings) -> VisionModel:
    """A new model; its class is given the model's name and the settings."""
    cls, model = model_class(reference)
    make: Callable[[str, ModelSettings], VisionModel] = cls
    found = made(f"model '{reference}'", lambda: make(model, settings), told=(PaseoError,))
    if not isinstance(getattr(found, "name", None), str):
        raise BadValue(f"model '{reference}': {cls.__name__} has no name, expected a text")
    return found
