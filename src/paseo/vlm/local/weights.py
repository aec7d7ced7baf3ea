"""Models of Hugging Face, from their files into memory; code that comes with them is not run."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from paseo.errors import BadValue, require
from paseo.vlm.failures import ModelError
from paseo.vlm.hosted.connection import in_short
from paseo.vlm.local.films import FAMILIES, FilmProcessor, squeeze
from paseo.vlm.local.folders import model_folder

SAFELY = {"trust_remote_code": False, "local_files_only": True}
DTYPES = ("float32", "bfloat16", "float16")
RUNS = "runs local models"
NO_MEMORY = ("out of memory", "can't allocate memory", "not enough memory")


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A model in memory, with what turns pictures and text into its input."""

    torch: ModuleType
    processor: Any
    weights: Any
    device: Any
    folder: Path

    @property
    def watches_films(self) -> bool:
        """Whether it takes frames as one film."""
        return getattr(self.processor, "video_processor", None) is not None

    @property
    def most_tokens(self) -> int | None:
        """How many tokens it was made for, those of the answer included; None where not told."""
        text = self.weights.config.get_text_config()
        most = getattr(text, "max_position_embeddings", None)
        return most if isinstance(most, int) else None


def load(model: str, *, device: object = None, dtype: object = None) -> Loaded:
    """The model of this hub name or in this folder; a graphics card is used where there is one."""
    torch = require("torch", "local", RUNS)
    transformers = require("transformers", "local", RUNS)
    chosen = device_called(torch, device)
    kind = _dtype(torch, dtype, device=chosen)
    folder, name = model_folder(model), f"local/{model}"
    with told(name):
        config = transformers.AutoConfig.from_pretrained(folder, **SAFELY)
        if type(config) not in transformers.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING:
            raise ModelError(f"{name}: is of the kind {config.model_type}, which reads no pictures")
        processor = _processor(transformers, folder, config)
        weights, info = transformers.AutoModelForImageTextToText.from_pretrained(
            folder,
            config=config,
            dtype=kind,
            use_safetensors=True,
            output_loading_info=True,
            **SAFELY,
        )
        weights = weights.to(chosen).eval()
    check_whole(info, name)
    processor.chat_template = processor.chat_template or processor.tokenizer.chat_template
    if not processor.chat_template:
        raise ModelError(
            f"{name}: has no chat template, so it cannot be asked; take a model that was made to "
            "follow instructions"
        )
    return Loaded(torch=torch, processor=processor, weights=weights, device=chosen, folder=folder)


def check_whole(info: Mapping[str, Any], name: str) -> None:
    """Raise where weights are missing: transformers would take random numbers and go on."""
    if missing := sorted(info["missing_keys"]):
        raise ModelError(
            f"{name}: its files lack {len(missing)} of its weights, such as {missing[0]}; get the "
            "files again"
        )


def is_out_of_memory(error: BaseException) -> bool:
    """Whether a failure of torch means that memory was too small."""
    words = str(error).lower()
    return isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError) and any(each in words for each in NO_MEMORY)
    )


def _processor(transformers: Any, folder: Path, config: Any) -> Any:
    """What prepares the input; for families whose films we make, without torchvision."""
    family = transformers.PROCESSOR_MAPPING.get(type(config), None)
    if family is None or family.__name__ not in FAMILIES:
        processor = transformers.AutoProcessor.from_pretrained(folder, **SAFELY)
        squeeze(processor.image_processor)
        return processor
    own, _ = family.get_processor_dict(folder, **SAFELY)
    films = require("transformers.video_processing_utils", "local", RUNS).VideoProcessorMixin
    film_config, _ = films.get_video_processor_dict(folder, **SAFELY)
    # It would take, and could describe, only what inherits from torchvision's.
    own_ways = {"check_argument_for_proper_class": lambda *_: None, "__repr__": object.__repr__}
    tolerant: Any = type(family.__name__, (family,), own_ways)
    parts = {
        "tokenizer": transformers.AutoTokenizer.from_pretrained(folder, config=config, **SAFELY),
        "image_processor": transformers.AutoImageProcessor.from_pretrained(
            folder, config=config, backend="pil", **SAFELY
        ),
        "video_processor": FilmProcessor(film_config, family.__name__),
    }
    return tolerant.from_args_and_dict([parts[name] for name in family.get_attributes()], own)


def device_called(torch: Any, name: object) -> Any:
    """A device of torch by its name; None: a graphics card, where there is one."""
    if name is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(str(name))
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise BadValue(
            f"device={name}: torch cannot use it here ({in_short(str(error), '')}); expected cpu "
            "or cuda, or cuda:1 for the second card"
        ) from error
    return device


def _dtype(torch: Any, name: object, *, device: Any) -> Any:
    if name is None:
        return torch.float32 if device.type == "cpu" else torch.bfloat16
    if name not in DTYPES:
        raise BadValue(f"dtype={name}: expected {', '.join(DTYPES[:-1])} or {DTYPES[-1]}")
    return getattr(torch, str(name))


@contextmanager
def told(name: str) -> Iterator[None]:
    """What goes wrong while a model is loaded, as a sentence."""
    try:
        yield
    except ModelError:
        raise
    except Exception as error:  # of transformers, torch and what they call; any kind
        said = in_short(str(error) or type(error).__name__, "")
        if is_out_of_memory(error):
            problem = f"does not fit into memory ({said}); take a smaller model"
        elif "trust_remote_code" in str(error):
            problem = "comes with code of its own, which is not run; take another model"
        elif "torchvision" in str(error).lower():
            problem = "needs torchvision; type pip install torchvision"
        else:
            problem = f"cannot be loaded ({said})"
        raise ModelError(f"{name}: {problem}") from error
