"""A study's folder: what is in it, and what must stay as it is once somebody has answered."""

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from paseo.errors import InputError, MissingData
from paseo.files import bounded
from paseo.survey.study.about_scenes import AboutScenes
from paseo.survey.study.content import Content
from paseo.survey.study.ratings.about_clips import AboutClips
from paseo.survey.study.scenes import ShownScene
from paseo.survey.study.settings import SETTINGS, Kind, StudySettings, read_study_settings
from paseo.survey.study.texts import StudyTexts

DATABASE, KEY, LINKS = "answers.sqlite", "secret.key", "links.txt"
KEY_BYTES = 32
LARGEST_FILE = 16 << 20  # bytes
READERS: Mapping[Kind, Callable[[Path], AboutScenes | AboutClips]] = {
    Kind.SCENES: AboutScenes.read,
    Kind.RATINGS: AboutClips.read,
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Study:
    """A study as its files say; the answers are in a database beside them."""

    folder: Path
    settings: StudySettings
    content: Content
    texts: StudyTexts  # of the content, as far as all studies have them
    key: bytes  # secret, of links and forms

    @property
    def about_scenes(self) -> AboutScenes:
        """What the study is about, which must be scenes."""
        if not isinstance(self.content, AboutScenes):
            raise InputError(
                f"{self.folder}: is a study of ratings, expected one of answers about scenes; name "
                "another"
            )
        return self.content

    @property
    def about_clips(self) -> AboutClips:
        """What the study is about, which must be clips."""
        if not isinstance(self.content, AboutClips):
            raise InputError(
                f"{self.folder}: is a study of answers about scenes, expected one of ratings; name "
                "another"
            )
        return self.content

    @property
    def scenes(self) -> Mapping[str, ShownScene]:
        """The scenes that the study is about, which it must be, by id and in order."""
        return self.about_scenes.scenes

    @property
    def database(self) -> Path:
        """Where the answers are."""
        return self.folder / DATABASE

    def signed(self, *words: str) -> str:
        """What only this study can make of these words."""
        return signed(self.key, *words)

    @cached_property
    def links(self) -> Sequence[str]:
        """The tokens of the links that people come by; the same as long as the study is."""
        return [self.signed("link", str(number))[:32] for number in range(self.settings.links)]

    @cached_property
    def fixed(self) -> str:
        """A hash of all that must stay as it is from the first answer on."""
        digest = hashlib.sha256(str(self.settings.seed).encode())
        for name in self.content.files:
            digest.update(hashlib.sha256(bounded(self.folder / name, LARGEST_FILE)).digest())
        return digest.hexdigest()


def signed(key: bytes, *words: str) -> str:
    """What only who has the key can make of these words."""
    text = json.dumps(words).encode("utf-8", "replace")
    return hmac.new(key, text, hashlib.sha256).hexdigest()


def new_key(folder: Path) -> bytes:
    """Write the secret of a study that is being made."""
    file, key = folder / KEY, secrets.token_bytes(KEY_BYTES)
    file.touch(mode=0o600)
    file.write_bytes(key)
    return key


def open_study(folder: Path) -> Study:
    """The study in a folder."""
    if not (folder / SETTINGS).is_file():
        raise MissingData(
            f"{folder}: holds no {SETTINGS}, expected a study; make one with `paseo survey new`, "
            "or check the name"
        )
    settings = read_study_settings(folder / SETTINGS)
    content = READERS[settings.kind](folder)
    return Study(
        folder=folder,
        settings=settings,
        content=content,
        texts=content.texts,
        key=bounded(folder / KEY, KEY_BYTES),
    )
