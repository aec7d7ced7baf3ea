"""Scenes and questions as a folder that `inspect eval` runs; written without inspect_ai."""

import json
from pathlib import Path

from paseo.errors import BadValue
from paseo.files import draft_folder
from paseo.vqa.export.card import inspect_card
from paseo.vqa.export.edition import METHOD, Edition, Exhibit, ExportTally, Item
from paseo.vqa.pictures.pictures import Layout

TASK, SAMPLES, ABOUT, PICTURES = "task.py", "samples.jsonl", "edition.json", "pictures"
TASK_TEXT = '''\
"""Questions about scenes; run with `inspect eval task.py --model PROVIDER/MODEL`.

Needs `pip install 'paseo[inspect]'`: answers are read and scored as `paseo score` does.
"""

from pathlib import Path

from inspect_ai import Task, task

from paseo.vqa.export.inspect_task import task_in


@task
def paseo_scenes() -> Task:
    """All questions in this folder, each put on its own."""
    return task_in(Path(__file__).parent)
'''


def export_inspect(edition: Edition, out: Path, tally: ExportTally) -> None:
    """Write `task.py`, the samples, their pictures and a card into a new folder."""
    if edition.presentation.layout is Layout.VIDEO:
        raise BadValue(
            "images video: a task for inspect_ai shows pictures and no films; choose front+bev, "
            "which has the same pictures",
            parameters=["images"],
        )
    with draft_folder(out) as draft:
        with (draft / SAMPLES).open("w", encoding="utf-8", newline="\n") as lines:
            for each in tally.kept(edition.exhibits()):
                names = _write_pictures(each, draft)
                lines.writelines(_sample(item, names) + "\n" for item in each.items)
        (draft / TASK).write_text(TASK_TEXT, encoding="utf-8", newline="\n")
        (draft / ABOUT).write_text(_about(edition), encoding="utf-8", newline="\n")
        card = inspect_card(edition, tally, files=[draft / SAMPLES])
        (draft / "README.md").write_text(card, encoding="utf-8", newline="\n")


def _about(edition: Edition) -> str:
    """What tells the rows of a table apart; every log of the task repeats it."""
    how = edition.presentation
    about = {
        "method": METHOD.value,
        "images": how.layout.value,
        "drawing": how.drawing.value,
        "wording": how.wording.label,
    }
    return json.dumps(about, indent=1) + "\n"


def _write_pictures(exhibit: Exhibit, draft: Path) -> list[str]:
    """Their names below the folder."""
    (draft / PICTURES / exhibit.scene).mkdir(parents=True)
    names = [f"{PICTURES}/{exhibit.scene}/{k}.jpg" for k in range(len(exhibit.pictures))]
    for name, picture in zip(names, exhibit.pictures, strict=True):
        (draft / name).write_bytes(picture.content)
    return names


def _sample(item: Item, images: list[str]) -> str:
    question = item.question
    sample = {
        "id": item.id,
        "scene": question.scene,
        "key": question.key,
        "reasoning": question.kind.category,
        "images": images,
        "prompt": item.prompt,
        "options": question.kind.options,
        "votes": item.votes,
    }
    return json.dumps(sample, ensure_ascii=False)
