"""Scenes made ready for an exam: read once before it, then drawn a few ahead."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

import msgspec

from paseo.data.scenes.dataset import SceneFolder
from paseo.data.scenes.stored_pictures import picture_hashes
from paseo.errors import InputError
from paseo.progress import Progress, silent
from paseo.vlm.models import Picture
from paseo.vqa.exam.plan import AskedScene
from paseo.vqa.exam.sessions import SceneSession
from paseo.vqa.probes.probe import PLAIN, Probe, changed, counterpart, variants_for
from paseo.vqa.prompts.wording import USUAL
from paseo.vqa.questions.methods import Method, asked
from paseo.vqa.questions.questions import Catalogue, Option
from paseo.world.scenes import Scene, Unreadable

Draw = Callable[[Scene], tuple[Picture, ...]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Overview:
    """The scenes of a folder, all read; their pictures stay in their files."""

    scenes: tuple[Scene, ...]
    unreadable: tuple[Unreadable, ...] = ()

    @property
    def asked(self) -> tuple[AskedScene, ...]:
        """The scenes as an exam notes them."""
        return tuple(map(asked_scene, self.scenes))


def overview(
    folder: SceneFolder, *, limit: int | None = None, progress: Progress = silent
) -> Overview:
    """Read the first `limit` scenes; those that cannot be read are named."""
    scenes, unreadable = [], []
    ids = folder.ids[:limit]
    for number, id in enumerate(ids):
        progress("looking through", number, len(ids))
        try:
            scenes.append(folder.read(id))
        except InputError as error:
            unreadable.append(Unreadable(id, (str(error),)))
    return Overview(scenes=tuple(scenes), unreadable=tuple(unreadable))


def with_answers_of(people: Mapping[tuple[str, str], Option], found: Overview) -> Overview:
    """The scenes that people's answers are known of; the others cannot be asked about."""
    known = {scene for scene, _ in people}
    lacking = tuple(
        Unreadable(scene.id, ("people's answers to it are not among the labels",))
        for scene in found.scenes
        if scene.id not in known
    )
    return Overview(
        scenes=tuple(scene for scene in found.scenes if scene.id in known),
        unreadable=found.unreadable + lacking,
    )


def asked_scene(scene: Scene) -> AskedScene:
    """A scene as an exam notes it."""
    return AskedScene(
        id=scene.id,
        hash=scene_hash(scene),
        people=tuple(person.number for person in scene.people),
        clip=msgspec.UNSET if scene.timing == USUAL else scene.timing,
    )


def scene_hash(scene: Scene) -> str:
    """The sha256 of everything in a scene."""
    about: list[object] = [scene.id, scene.goal, repr(scene.camera)]
    if scene.period != USUAL.period:  # else as it was before scenes told their period
        about.append(scene.period)
    digest = sha256(json.dumps(about).encode())
    digest.update(scene.robot.tobytes())
    for person in scene.people:
        digest.update(person.number.to_bytes(8, "big"))
        digest.update(person.positions.tobytes() + person.boxes.tobytes())
    for each in (*picture_hashes(scene.frames), *picture_hashes(scene.composites)):
        digest.update(bytes.fromhex(each))
    return digest.hexdigest()


def sessions(
    scenes: Iterable[Scene],
    *,
    draw: Draw,
    method: Method,
    catalogue: Catalogue,
    variants: tuple[str, ...] = (PLAIN,),
) -> Iterator[SceneSession | Unreadable]:
    """The scenes in their variants, each drawn when its turn comes."""
    for scene in scenes:
        people = tuple(person.number for person in scene.people)
        try:
            plain = SceneSession(
                scene=scene.id,
                questions=asked(catalogue.questions(scene.id, people), method),
                images=draw(scene),
                timing=scene.timing,
            )
            for variant in variants_for(people, variants):
                yield _varied(plain, scene, variant, draw=draw)
        except InputError as error:
            yield Unreadable(scene.id, (str(error),))


def _varied(plain: SceneSession, scene: Scene, variant: str, *, draw: Draw) -> SceneSession:
    if variant == PLAIN:
        return plain
    probe, people = Probe(variant), [person.number for person in scene.people]
    shown = changed(scene, probe)
    return SceneSession(
        scene=plain.scene,
        questions=tuple(counterpart(each, probe, people) for each in plain.questions),
        images=plain.images if shown is scene else draw(shown),
        timing=shown.timing,
        variant=variant,
    )
