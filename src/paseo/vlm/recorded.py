"""Answers that were given before, as a model: it replays what a folder holds."""

import json
from functools import lru_cache
from pathlib import Path

import msgspec

from paseo.errors import BadFile, BadValue
from paseo.files import bounded
from paseo.vlm.failures import ModelError
from paseo.vlm.models import ModelSettings, Prompt, Reply
from paseo.world.scenes import SCENE_ID

LARGEST_FILE = 16 * 2**20  # bytes
DEFAULTS = ModelSettings()


class Recorded:
    """Replays a folder's `<scene>.json` files, question key to answer or reply: `recorded/DIR`."""

    def __init__(self, model: str, settings: ModelSettings = DEFAULTS) -> None:
        self.folder = Path(model)
        self.name = f"recorded/{self.folder.resolve().name}"
        if not self.folder.is_dir():
            raise BadValue(
                f"model 'recorded/{model}': {model} is no folder, expected one with a file "
                "<scene>.json per scene; check the path"
            )
        self._answers = lru_cache(maxsize=64)(self._read)

    def ask(self, prompt: Prompt) -> Reply:
        """The answer that is recorded for the prompt's id, as JSON."""
        scene, _, keys = prompt.id.partition("/")
        if not SCENE_ID.fullmatch(scene) or not keys:
            raise ModelError(
                f"recorded answers: '{prompt.id[:100]}' is no id, expected <scene>/<question>"
            )
        answers = self._answers(scene)
        for key in keys.split(","):
            if key not in answers:
                raise ModelError(
                    f"{self.folder / scene}.json: has no answer to {key[:100]}; this question "
                    "was not recorded"
                )
        found = {key: answers[key] for key in keys.split(",")}
        only = found.get(keys)
        if isinstance(only, str) and "{" in only:  # a whole reply
            return Reply(text=only, model=self.name)
        value = {"answers": found} if len(found) > 1 else {"answer": only}
        return Reply(text=json.dumps(value, ensure_ascii=False), model=self.name)

    def _read(self, scene: str) -> dict[str, object]:
        path = self.folder / f"{scene}.json"
        try:
            data = bounded(
                path,
                LARGEST_FILE,
                remedy="this scene was not recorded",
                too_large="expected answers only",
            )
            return msgspec.json.decode(data, type=dict[str, object])
        except BadFile as error:
            raise ModelError(str(error)) from error
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise ModelError(f"{path}: {error}, expected a JSON object of answers") from error
