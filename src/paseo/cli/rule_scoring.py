"""The rule-based baselines for `paseo score --scenes`."""

import sys
from collections.abc import Iterator
from pathlib import Path

from tqdm import tqdm

from paseo.data.scenes.dataset import SceneFolder, open_scenes, readable
from paseo.errors import PaseoError
from paseo.vqa.baselines.rule_sheets import Source, rules_sheet
from paseo.vqa.pictures.pictures import Drawing
from paseo.vqa.questions.sheets import Sheet
from paseo.world.scenes import Scene

MOST_DEFECTS = 5


def rule_sheets(folder: Path, ocr: str) -> list[Sheet]:
    """The rules' answers from tracks, and from pictures unless `ocr` is none or not installed."""
    scenes = open_scenes(folder)
    sheets = [rules_sheet(_told(scenes), source=Source.TRACKS)]
    if ocr != "none":
        try:
            sheets.append(
                rules_sheet(
                    _shown(scenes), source=Source.PICTURES, drawing=one_drawing(scenes), engine=ocr
                )
            )
        except PaseoError as error:
            _tell(f"no rules (pictures): {error}")
    return [sheet for sheet in sheets if sheet.answers]


def one_drawing(scenes: SceneFolder) -> Drawing:
    """The data set's own pictures only where every scene has them, as in an exam."""
    every = (bool(each.composites) for each in readable(scenes) if isinstance(each, Scene))
    return Drawing.DATASET if all(every) else Drawing.PASEO


def _told(scenes: SceneFolder) -> Iterator[Scene]:
    """Scenes that can be read; of the others the first few are told, and how many more."""
    defects = 0
    for each in readable(scenes):
        if isinstance(each, Scene):
            yield each
            continue
        defects += 1
        if defects <= MOST_DEFECTS:
            _tell(f"no rules for scene {each.id}: {each.what}")
    if defects > MOST_DEFECTS:
        _tell(f"no rules for {defects - MOST_DEFECTS} more scenes")


def _shown(scenes: SceneFolder) -> Iterator[Scene]:
    """With a bar: pictures take seconds each. What is wrong has been told already."""
    with tqdm(total=len(scenes.ids), unit="scene", disable=None, file=sys.stderr) as bar:
        bar.set_description("reading pictures")
        for each in readable(scenes):
            if isinstance(each, Scene):
                yield each
            bar.update()


def _tell(sentence: str) -> None:
    print(f"paseo: careful: {sentence}", file=sys.stderr)
