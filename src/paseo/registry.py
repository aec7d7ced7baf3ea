"""Names into objects: planners and models that ship, come by entry point, or lie in a file."""

import hashlib
import importlib
import importlib.util
import inspect
import os
import re
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from enum import Enum
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, get_type_hints

import msgspec

from paseo.errors import BadValue, InputError, PaseoError, UnknownName
from paseo.files import sha256

PLANNERS = {
    "dwa": "paseo.planners.dwa:Dwa",
    "mppi": "paseo.planners.mppi.planner:Mppi",
    "orca": "paseo.planners.orca:Orca",
    "orca-checkpoints": "paseo.planners.orca_checkpoints:OrcaCheckpoints",
    "sacadrl": "paseo.planners.sacadrl.planner:Sacadrl",
    "sampling": "paseo.planners.sampling.planner:Sampling",
    "social-force": "paseo.planners.social_force:SocialForce",
    "stop": "paseo.planners.stop:Stop",
    "straight": "paseo.planners.straight:Straight",
    "time-gap": "paseo.planners.time_gap:TimeGap",
}
# What is named like a planner but runs on episodes of its own, not to be compared with others.
REFERENCES = {"human": "paseo.suite.runners.human:Human"}
# Providers of models; one that needs more than the core has an extra of its name.
MODELS = {
    "anthropic": "paseo.vlm.hosted.anthropic:AnthropicModel",
    "gemini": "paseo.vlm.hosted.gemini:GeminiModel",
    "local": "paseo.vlm.local.model:LocalModel",
    "openai": "paseo.vlm.hosted.openai:OpenAIModel",
    "recorded": "paseo.vlm.recorded:Recorded",
    "scripted": "paseo.vlm.scripted:Scripted",
}
PLANNER_GROUP = "paseo.planners"
MODEL_GROUP = "paseo.models"
METRIC_GROUP = "paseo.metrics"
FILE_MODULE = "paseo_file_"  # begins the names of modules that are files
_MODEL_BY_PLACE = re.compile(r"(.+\.py:\w+|[\w.]+:\w+)(?:/(.*))?")

_folders: dict[str, bool] = {}  # that files were imported from; whether put on the path for it
_before: set[str] = set()  # modules that were there before the first of these files

Scalar = bool | int | float | str | None


@dataclass(frozen=True, slots=True)
class PlannerChoice:
    """A planner as named on the command line: `straight:speed=0.8`, `my.py:MyPlanner`."""

    reference: str
    parameters: Mapping[str, Scalar] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The name as typed, parameters in order."""
        return ":".join([self.reference, *(f"{k}={v}" for k, v in self.parameters.items())])


def planner_targets() -> dict[str, str]:
    """Every planner known by name, and the `module:Class` behind it."""
    points = entry_points(group=PLANNER_GROUP)
    found = {point.name: f"{point.module}:{point.attr}" for point in points}
    return dict(sorted({**found, **PLANNERS, **REFERENCES}.items()))


def is_reference(planner: str) -> bool:
    """Whether what goes by this name is a reference on episodes of its own, not a planner."""
    return planner in REFERENCES or planner in REFERENCES.values()


def parse_planners(text: str) -> list[PlannerChoice]:
    """`NAME[:key=value...][,NAME...]` as choices; names are not looked up yet."""
    choices = [_parse_planner(part.strip()) for part in text.split(",")]
    labels = [choice.label for choice in choices]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise BadValue(f"planner '{twice}' is named twice; name each once")
    return choices


def _parse_planner(text: str) -> PlannerChoice:
    name, *rest = text.split(":")
    parameters: dict[str, Scalar] = {}
    for part in rest:
        key, equals, value = map(str.strip, part.partition("="))
        if key in parameters:
            raise BadValue(f"planner '{text}': '{key}' is given twice, expected each key once")
        if equals:
            parameters[key] = value
        elif parameters:
            raise BadValue(f"planner '{text}': '{part}' is no parameter, expected key=value")
        else:
            name = f"{name}:{part}"
    if not name:
        raise BadValue(f"planner '{text}': the name is missing, expected NAME[:key=value]")
    return PlannerChoice(name, parameters)


def planner_class(reference: str) -> type[Any]:
    """The class behind a planner's name, `file.py:Class` or `module:Class`."""
    known = planner_targets()
    target = known.get(reference, reference)
    module_name, colon, class_name = target.rpartition(":")
    if not colon:
        if reference.endswith(".py"):
            raise BadValue(f"planner '{reference}': which class? Write {reference}:ClassName")
        raise UnknownName("planner", reference, known)
    module = _module("planner", module_name, reference)
    found = getattr(module, class_name, None)
    if not inspect.isclass(found):
        classes = [name for name, value in vars(module).items() if inspect.isclass(value)]
        raise UnknownName(f"class in {module_name}", class_name, classes)
    for method in ("begin", "plan"):
        if not callable(getattr(found, method, None)):
            raise BadValue(f"planner '{reference}': {class_name} has no method {method}()")
    control = getattr(found, "control", "velocity")
    if control not in ("velocity", "position"):
        raise BadValue(
            f"planner '{reference}': {class_name}.control is {control!r}, expected the mode "
            "the planner was made for, Control.VELOCITY or Control.POSITION"
        )
    return found


def make_planner(choice: PlannerChoice) -> Any:
    """A new planner; parameters are read as the types its `__init__` declares."""
    cls = planner_class(choice.reference)
    known = inspect.signature(cls).parameters
    values = {}
    for key, text in choice.parameters.items():
        if key not in known:
            raise UnknownName(f"parameter of planner '{choice.reference}'", key, known)
        try:
            values[key] = msgspec.convert(text, _declared_type(cls, known[key]), strict=False)
        except (msgspec.ValidationError, NameError, TypeError) as error:
            allowed = _allowed(known[key].default)
            raise BadValue(
                f"planner '{choice.reference}': {key}={text}: {error}{allowed}"
            ) from error
    try:
        with redirect_stdout(sys.stderr):  # a planner may talk; stdout is for our data
            return cls(**values)
    except (Exception, SystemExit) as error:
        raise BadValue(f"planner '{choice.label}' cannot be made ({_named(error)})") from error


def _declared_type(cls: type[Any], parameter: inspect.Parameter) -> Any:
    """The type a parameter is annotated with, else that of its default, else text."""
    if parameter.annotation is not parameter.empty:
        alone = SimpleNamespace(__annotations__={parameter.name: parameter.annotation})
        return get_type_hints(alone, globalns=vars(sys.modules[cls.__module__]))[parameter.name]
    return type(parameter.default) if isinstance(parameter.default, bool | int | float) else str


def _allowed(default: object) -> str:
    """What may stand in place of a default that is one of a closed set, in words."""
    if not isinstance(default, Enum):
        return ""
    return f", expected {' or '.join(str(each.value) for each in type(default))}"


def planner_hash(reference: str) -> str:
    """The sha256 of a planner's file; empty for planners that are found by name."""
    file = reference.rpartition(":")[0]
    if not file.endswith(".py"):
        return ""
    return sha256(Path(file))


def forget_files() -> None:
    """Forget all planners' files and the files they imported from beside them.

    The next planner by file is imported afresh, as if it were the first.
    """
    for name, module in list(sys.modules.items()):
        if name.startswith(FILE_MODULE) or (name not in _before and _lies_beside(name, module)):
            del sys.modules[name]
    sys.path[:] = [folder for folder in sys.path if not _folders.get(folder)]
    _folders.clear()


def _lies_beside(name: str, module: ModuleType) -> bool:
    """Whether a module was imported from a folder of files; not so what only lies deep in it."""
    file = getattr(module, "__file__", None)
    stem = name.replace(".", os.sep)
    endings = (f"{stem}.py", f"{stem}{os.sep}__init__.py")
    return file in {f"{folder}{os.sep}{end}" for folder in _folders for end in endings}


def installed_metrics() -> list[Any]:
    """The metrics that other packages bring by entry point."""
    points = sorted(entry_points(group=METRIC_GROUP), key=lambda point: point.name)
    return [find_metric(f"{point.module}:{point.attr}") for point in points]


def find_metric(reference: str) -> Any:
    """The metric at `file.py:name` or `module:name`."""
    module_name, colon, name = reference.rpartition(":")
    if not colon:
        raise BadValue(f"metric '{reference}': expected file.py:name, e.g. my_metrics.py:my_metric")
    module = _module("metric", module_name, reference)
    if not hasattr(module, name):
        metrics = [key for key, value in vars(module).items() if hasattr(value, "unit")]
        raise UnknownName(f"metric in {module_name}", name, metrics)
    return getattr(module, name)


def model_targets() -> dict[str, str]:
    """Every provider of models known by name, and the `module:Class` behind it."""
    points = entry_points(group=MODEL_GROUP)
    found = {point.name: f"{point.module}:{point.attr}" for point in points}
    return dict(sorted({**found, **MODELS}.items()))


def model_class(reference: str) -> tuple[type[Any], str]:
    """The class behind `provider/model` or `file.py:Class[/model]`, and the model's name."""
    target, model = _model_target(reference)
    module_name, _, class_name = target.rpartition(":")
    module = _module("model", module_name, reference)
    found = getattr(module, class_name, None)
    if not inspect.isclass(found):
        classes = [name for name, value in vars(module).items() if inspect.isclass(value)]
        raise UnknownName(f"class in {module_name}", class_name, classes)
    if not callable(getattr(found, "ask", None)):
        raise BadValue(f"model '{reference}': {class_name} has no method ask()")
    return found, model


def _model_target(reference: str) -> tuple[str, str]:
    """The `module:Class` or `file.py:Class` that a model's name leads to, and the rest of it."""
    by_place = _MODEL_BY_PLACE.fullmatch(reference)
    if by_place:
        return by_place[1], by_place[2] or ""
    known = model_targets()
    provider, slash, model = reference.partition("/")
    if provider in known and model:
        return known[provider], model
    if provider in known:
        problem = f"which one? Write {provider}/MODEL; `paseo list models` names some"
    elif reference.endswith(".py"):
        problem = f"which class? Write {reference}:ClassName"
    elif slash:
        raise UnknownName("provider of models", provider, known)
    else:
        problem = "whose? Write provider/model, such as openai/gpt-4o; see `paseo list models`"
    raise BadValue(f"model '{reference}': {problem}")


def make_model(reference: str, settings: Any) -> Any:
    """A new `VisionModel`; its class is given the model's name and the `Settings`."""
    cls, model = model_class(reference)
    try:
        with redirect_stdout(sys.stderr):  # a model may talk; stdout is for our data
            made = cls(model, settings)
    except PaseoError:
        raise
    except (Exception, SystemExit) as error:
        raise BadValue(f"model '{reference}' cannot be made ({_named(error)})") from error
    if not isinstance(getattr(made, "name", None), str):
        raise BadValue(f"model '{reference}': {cls.__name__} has no name, expected a text")
    return made


def _module(kind: str, name: str, reference: str) -> ModuleType:
    try:
        with redirect_stdout(sys.stderr):
            by_file = name.endswith(".py")
            return _file_module(kind, Path(name)) if by_file else importlib.import_module(name)
    except InputError:
        raise
    except ModuleNotFoundError as error:
        known = planner_targets() if kind == "planner" else {}
        provider = reference.partition("/")[0]
        if kind == "model" and provider in MODELS:
            raise BadValue(
                f"model '{reference}': {error}; type pip install 'paseo[{provider}]'"
            ) from error
        if reference not in known and name.split(".")[0] == error.name:
            raise UnknownName(kind, reference, known) from error
        raise BadValue(f"{kind} '{reference}': {error}; install it") from error
    except (Exception, SystemExit) as error:
        raise BadValue(
            f"{kind} '{reference}': {name} cannot be imported ({_named(error)})"
        ) from error


def _named(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


def _file_module(kind: str, path: Path) -> ModuleType:
    if not path.is_file():
        raise BadValue(f"{kind} file {path}: no such file; check the path")
    place = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]
    name = f"{FILE_MODULE}{path.stem}_{place}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadValue(f"{kind} file {path}: is not Python")
    module = importlib.util.module_from_spec(spec)
    folder = str(path.resolve().parent)
    if not _before:
        _before.update(sys.modules)
    sys.modules[name] = module
    _folders.setdefault(folder, folder not in sys.path)
    if folder not in sys.path:  # files beside it can be imported, as from any script
        sys.path.append(folder)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
