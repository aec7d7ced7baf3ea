"""Where the files of a local model lie: a folder, or what was or is now fetched from the hub."""

import re
from pathlib import Path
from typing import Any

from paseo.errors import BadFile, require
from paseo.files import bounded
from paseo.parsing.json import json_value
from paseo.vlm.failures import ModelError, ModelRefusesKey, ModelUnknown
from paseo.vlm.hosted.connection import in_short

HUB_NAME = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*")
LARGEST_INDEX = 64 << 20  # bytes of the list of files of weights
FETCHED = ["*.json", "*.jinja", "*.model", "*.safetensors", "*.txt"]  # no code, nothing pickled


def model_folder(
    model: str,
    *,
    revision: str | None = None,
    prefix: str = "local/",
    example: str = "llava-hf/LLaVA-NeXT-Video-7B-hf",
) -> Path:
    """The folder of this name, else that of the hub's model; what was fetched stays as it is.

    `revision` is a branch, a tag or a commit of the hub's; sentences spell a model with `prefix`,
    and name the `example`.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        return _with_weights(folder)
    if folder.exists() or not HUB_NAME.fullmatch(model):
        raise ModelUnknown(
            f"{prefix}{model}: there is no such folder; name one, or a model of the Hugging Face "
            f"hub, such as {prefix}{example}"
        )
    hub = require("huggingface_hub", "local", "finds the weights of local models")
    config = hub.try_to_load_from_cache(model, "config.json", revision=revision)
    if isinstance(config, str) and _is_whole(Path(config).parent):
        return Path(config).parent
    return _with_weights(_fetched(hub, model, revision, f"{prefix}{model}"))


def _fetched(hub: Any, model: str, revision: str | None, name: str) -> Path:
    errors = hub.errors
    try:
        return Path(hub.snapshot_download(model, revision=revision, allow_patterns=FETCHED))
    except errors.GatedRepoError as error:
        raise ModelRefusesKey(
            f"{name}: its makers want to be asked first; agree to their terms on its page of the "
            "Hugging Face hub, then type hf auth login"
        ) from error
    except errors.RevisionNotFoundError as error:
        raise ModelUnknown(f"{name}: has no revision {revision!r:.60} on the hub") from error
    except errors.RepositoryNotFoundError as error:
        raise ModelUnknown(
            f"{name}: there is no such folder, and no such model on the hub"
        ) from error
    except Exception as error:  # of the network, the disk or the hub, and of several packages
        raise ModelError(
            f"{name}: is not on this machine, and could not be fetched "
            f"({in_short(str(error), '') or type(error).__name__}); type hf download {model} where "
            "there is a network, or name a folder that holds it"
        ) from error


def _with_weights(folder: Path) -> Path:
    """The folder, if a model is in it."""
    if not (folder / "config.json").is_file():
        raise ModelUnknown(
            f"{folder}: holds no model, for it has no config.json; expected a folder as "
            "save_pretrained writes or `hf download` fetches it"
        )
    if not _is_whole(folder):
        raise ModelError(
            f"{folder}: its weights are not there, or not all, as files *.safetensors; other kinds "
            "can hold code and are not read"
        )
    return folder


def _is_whole(folder: Path) -> bool:
    """Whether all files of weights are there."""
    index = folder / "model.safetensors.index.json"
    if not index.is_file():
        return (folder / "model.safetensors").is_file()
    try:
        files = set(json_value(bounded(index, LARGEST_INDEX))["weight_map"].values())
        return all((folder / file).is_file() for file in files)
    except (BadFile, ValueError, LookupError, AttributeError, TypeError, RecursionError):
        return False
