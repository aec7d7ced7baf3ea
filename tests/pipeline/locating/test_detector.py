"""The detector and the tracker: tiny ones of real families, loaded as real ones are.

They need torch, transformers and trackers: `make test-slow` has them.
"""

import io
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from paseo.errors import BadFile
from paseo.pipeline.drives.drive import Frame
from paseo.pipeline.locating.names import make_source
from paseo.pipeline.locating.seen import SeenFrame
from paseo.pipeline.locating.sources.tracking import NOBODY, Follower, followed
from paseo.vlm.failures import ModelError, ModelUnknown
from staged_boxes import Cast, Staged, staged
from tiny_detectors import tiny_detector

pytestmark = [pytest.mark.slow, pytest.mark.extra("local", "tracking")]


def picture(seed: int) -> bytes:
    pixels = np.random.default_rng(seed).integers(0, 255, (120, 160, 3), dtype=np.uint8)
    content = io.BytesIO()
    Image.fromarray(pixels).save(content, "PNG")
    return content.getvalue()


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {
        family: tiny_detector(tmp_path_factory.mktemp(family), family)
        for family in ("rt_detr", "d_fine")
    }


@pytest.fixture(scope="module")
def drive() -> Staged:
    stage = staged(Cast(seconds=2, people=4, turning=0.0))  # the pictures stand still, too
    return replace(stage, pictures={k: picture(7) for k in range(len(stage.frame_times))})


@pytest.mark.parametrize("family", ["rt_detr", "d_fine"])
def test_weights_made_here_find_what_transformers_itself_finds(
    folders: dict[str, Path], family: str
) -> None:
    import torch
    import transformers

    from paseo.pipeline.locating.sources.detector import FAINTEST, Detector

    found = Detector(str(folders[family])).detections(Frame(0, 0.0, picture(7)))
    processor = transformers.AutoImageProcessor.from_pretrained(folders[family], backend="pil")
    model = transformers.AutoModelForObjectDetection.from_pretrained(folders[family]).eval()
    image = Image.open(io.BytesIO(picture(7)))
    with torch.inference_mode():
        outputs = model(**processor(images=image, return_tensors="pt"))
    (raw,) = processor.post_process_object_detection(
        outputs, threshold=FAINTEST, target_sizes=[(120, 160)]
    )
    people = raw["labels"] == 0
    np.testing.assert_allclose(
        np.array([each.box for each in found]).reshape(-1, 4), raw["boxes"][people], atol=1e-3
    )
    assert found and all(each.person == NOBODY for each in found)


def test_a_detector_runs_over_a_drive(folders: dict[str, Path], drive: Staged) -> None:
    frames = list(make_source(f"detector={folders['rt_detr']}").frames(drive))
    assert frames and all(0 < frame.number < len(drive.frame_times) for frame in frames)
    # The picture stands still, so people stay who they are.
    assert {each.person for each in frames[0].people} <= {each.person for each in frames[-1].people}


def test_what_is_no_detector_is_told(folders: dict[str, Path], tmp_path: Path) -> None:
    other = shutil.copytree(folders["rt_detr"], tmp_path / "other")
    config: dict[str, Any] = json.loads((other / "config.json").read_text())
    (other / "config.json").write_text(json.dumps({**config, "model_type": "detr"}))
    with pytest.raises(ModelError, match="is of the kind detr, expected one of rt_detr"):
        make_source(f"detector={other}")
    named = {"0": "dog", "1": "bicycle", "2": "car"}
    (other / "config.json").write_text(json.dumps({**config, "id2label": named}))
    with pytest.raises(Exception, match="knows no class 'person'"):
        make_source(f"detector={other}")
    with pytest.raises(ModelUnknown, match="there is no such folder; name one, or a model of"):
        make_source("detector=nowhere")


def test_a_picture_that_is_none_is_told(folders: dict[str, Path], drive: Staged) -> None:
    broken = replace(drive, pictures={0: b"no picture"})
    with pytest.raises(BadFile, match="frame 0: is no whole picture"):
        list(make_source(f"detector={folders['rt_detr']}").frames(broken))


def test_people_are_followed_through_their_boxes() -> None:
    stage = staged(Cast(seed=5, seconds=10, people=5, fps=15.0, turning=0.1, speed=0.8))
    lost = [
        SeenFrame(frame.number, tuple(replace(each, person=NOBODY) for each in frame.people))
        for frame in stage.seen
    ]
    truth = {
        (frame.number, tuple(np.round(each.box, 3))): each.person
        for frame in stage.seen
        for each in frame.people
    }
    names: dict[int, list[int]] = {}
    for frame in followed(lost, stage):
        for each in frame.people:
            person = truth[frame.number, tuple(np.round(each.box, 3))]
            names.setdefault(each.person, []).append(person)
    followed_rows = sum(map(len, names.values()))
    right = sum(max(np.bincount(each)) for each in names.values())
    assert followed_rows > 0.8 * len(truth)
    assert right > 0.95 * followed_rows


def test_detections_without_tracks_are_followed(tmp_path: Path, drive: Staged) -> None:
    rows = [
        {
            "image_id": frame.number,
            "category_id": 1,
            "bbox": [box[0], box[1], box[2] - box[0], box[3] - box[1]],
            "score": 0.9,
        }
        for frame in drive.seen
        for box in (each.box for each in frame.people)
    ]
    (tmp_path / "r.json").write_text(json.dumps(rows))
    frames = list(make_source(f"coco={tmp_path / 'r.json'}").frames(drive))
    assert frames and all(each.person >= 0 for frame in frames for each in frame.people)
    assert Follower().known((), 0.0) == ()
