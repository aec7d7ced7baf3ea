"""Right answers by geometry as label files, in the layout of people's and apart from them."""

from collections.abc import Mapping

from paseo.data.scenes.writing import json_bytes
from paseo.vqa.geometry.places import Finding
from paseo.vqa.questions.questions import Catalogue
from paseo.vqa.questions.votes import FILE, GEOMETRY_FOLDER


def label_file(scene: str) -> str:
    """Where the right answers about a scene lie, below the folder of scenes."""
    return f"{GEOMETRY_FOLDER}/{scene}/{FILE}"


def label_bytes(scene: str, answers: Mapping[str, Finding], catalogue: Catalogue) -> bytes:
    """Every clear answer as the one vote on its question; what is too close to call is not told."""
    told: dict[str, object] = {"source": "geometry"}
    for key, found in answers.items():
        if found.clear:
            many = catalogue.question(scene, key).kind.select_many
            told[key] = [list(found.answer) if many else found.answer[0]]
            told[f"{key}_probabilities"] = [1.0]
            told[f"{key}_n_answers"] = 1
    return json_bytes(told)
