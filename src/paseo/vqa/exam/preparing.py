"""Scenes made ready for an exam: looked through once before it, then drawn a few ahead."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from paseo.data.scenes.dataset import SceneFolder
from paseo.errors import InputError
from paseo.vlm.models import Picture
from paseo.vqa.exam.plan import AskedScene
from paseo.vqa.exam.sessions import SceneSession, Unreadable
from paseo.vqa.probes.probe import PLAIN, Probe, changed, counterpart, variants_for
from paseo.vqa.questions.methods import Method, asked
from paseo.vqa.questions.questions import Option, questions
from paseo.world.scenes import Scene

Draw = Callable[[Scene], tuple[Picture, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What a look through the scenes found, before anything is asked."""

    scenes: tuple[AskedScene, ...]
    unreadable: tuple[Unreadable, ...]
    all_drawn: bool  # whether every scene came with pictures of its own


def survey(
    folder: SceneFolder,
    *,
    limit: int | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Survey:
    """Read the first `limit` scenes, one at a time; those that cannot be read are named."""
    found, unreadable, drawn = [], [], []
    for id in folder.ids[:limit]:
        progress()
        try:
            scene = folder.read(id)
        except InputError as error:
            unreadable.append(Unreadable(id, str(error)))
            continue
        people = tuple(person.number for person in scene.people)
        found.append(AskedScene(id=id, hash=scene_hash(scene), people=people))
        drawn.append(bool(scene.composites))
    return Survey(
        scenes=tuple(found), unreadable=tuple(unreadable), all_drawn=bool(drawn) and all(drawn)
    )


def without_labels(found: Survey, people: Mapping[tuple[str, str], Option]) -> Survey:
    """The survey with scenes unreadable for which people's answers are needed and not there."""
    known = {scene for scene, _ in people}
    lacking = tuple(
        Unreadable(scene.id, "people's answers to it are not among the labels")
        for scene in found.scenes
        if scene.id not in known
    )
    return Survey(
        scenes=tuple(scene for scene in found.scenes if scene.id in known),
        unreadable=found.unreadable + lacking,
        all_drawn=found.all_drawn,
    )


def scene_hash(scene: Scene) -> str:
    """The sha256 of everything in a scene."""
    digest = sha256(json.dumps([scene.id, scene.goal, repr(scene.camera)]).encode())
    digest.update(scene.robot.tobytes())
    for person in scene.people:
        digest.update(person.number.to_bytes(8, "big"))
        digest.update(person.positions.tobytes() + person.boxes.tobytes())
    for picture in scene.frames + scene.composites:
        digest.update(sha256(picture).digest())
    return digest.hexdigest()


def sittings(
    folder: SceneFolder,
    scenes: tuple[AskedScene, ...],
    *,
    draw: Draw,
    method: Method,
    variants: tuple[str, ...] = (PLAIN,),
) -> Iterator[SceneSession | Unreadable]:
    """The scenes in their variants, each read and drawn when its turn comes."""
    for known in scenes:
        try:
            scene = folder.read(known.id)
            if scene_hash(scene) != known.hash:
                raise InputError("the scene was changed while the exam ran; leave it as it was")
            put = asked(questions(known.id, known.people), method)
            plain = SceneSession(scene=known.id, questions=put, images=draw(scene))
            for variant in variants_for(known.people, variants):
                yield _varied(plain, scene, variant, draw=draw)
        except InputError as error:
            yield Unreadable(known.id, str(error))


def _varied(plain: SceneSession, scene: Scene, variant: str, *, draw: Draw) -> SceneSession:
    if variant == PLAIN:
        return plain
    probe, people = Probe(variant), [person.number for person in scene.people]
    shown = changed(scene, probe)
    return SceneSession(
        scene=plain.scene,
        questions=tuple(counterpart(each, probe, people) for each in plain.questions),
        images=plain.images if shown is scene else draw(shown),
        variant=variant,
    )
