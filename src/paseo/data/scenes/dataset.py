"""A folder of scenes, whichever source they came from: SocialNav-SUB or clips of one's own."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from paseo.data.scenes.scene_file import SCENE_FILE, read_scene
from paseo.data.scenes.socialnavsub import listed_samples, read_sample
from paseo.errors import BadFile, InputError, MissingData, UnknownName
from paseo.world.scenes import SCENE_ID, Scene, Unreadable

WORDINGS = ("prompts/survey_prompt.json", "survey_prompt.json")


@dataclass(frozen=True, slots=True)
class SceneFolder:
    """Scenes that can be read one by one, in the order in which they are asked about."""

    folder: Path
    kind: Literal["socialnav-sub", "clips"]
    ids: tuple[str, ...]
    reader: Callable[[str], Scene]

    def read(self, id: str) -> Scene:
        """One scene; `BadFile` or `MissingData` name every defect of one that cannot be read."""
        if id not in self.ids:
            raise UnknownName("scene", id, self.ids)
        return self.reader(id)


def open_scenes(folder: Path) -> SceneFolder:
    """The scenes of a folder: a SocialNav-SUB data set, or one folder with scene.json for each."""
    samples = listed_samples(folder)
    if samples is not None:
        ids = tuple(dict.fromkeys(sample.folderpath for sample in samples))
        return SceneFolder(folder, "socialnav-sub", ids, partial(read_sample, folder, samples))
    clips = sorted(path.parent.name for path in folder.glob(f"*/{SCENE_FILE}"))
    ids = tuple(name for name in clips if SCENE_ID.fullmatch(name))
    if ids:
        return SceneFolder(folder, "clips", ids, partial(_read_clip, folder))
    raise _no_scenes(folder)


def readable(scenes: SceneFolder) -> Iterator[Scene | Unreadable]:
    """All scenes in order, each read when it is asked for; a bad one does not stop the others."""
    for id in scenes.ids:
        try:
            yield scenes.read(id)
        except InputError as error:
            yield Unreadable(id, (str(error),))


def wording_file(folder: Path) -> Path | None:
    """The file with the data set's own wording of the questions, if it is there."""
    places = (folder / name for name in WORDINGS)
    return next((place for place in places if place.is_file()), None)


def _read_clip(folder: Path, id: str) -> Scene:
    scene = read_scene(folder / id)
    if scene.id != id:
        raise BadFile(
            f"{folder / id / SCENE_FILE}: its id is '{scene.id}', expected '{id}' as the folder "
            "is called; rename one of them"
        )
    return scene


def _no_scenes(folder: Path) -> InputError:
    expected = (
        "expected a SocialNav-SUB data set (prompts/sample_info.json) or a folder of scenes "
        f"(<scene>/{SCENE_FILE})"
    )
    if (folder / SCENE_FILE).is_file():
        return MissingData(f"{folder}: is one scene, {expected}; name the folder it lies in")
    what = "holds no scenes" if folder.is_dir() else "is no folder"
    return MissingData(
        f"{folder}: {what}, {expected}; get one with `paseo data fetch socialnav-sub`, `paseo "
        "scenes make` or `paseo scenes import`, or check the name"
    )
