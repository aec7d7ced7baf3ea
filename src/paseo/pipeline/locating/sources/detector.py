"""A detector and a tracker run here: RT-DETR or D-FINE of `transformers`, then ByteTrack.

Its weights come from the Hugging Face hub by name and revision, or from a folder; code that comes
with them is not run, and pickled weights are not read.
"""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from paseo.data.scenes.images import image_size
from paseo.errors import BadValue, require
from paseo.pipeline.drives.drive import Drive, Frame
from paseo.pipeline.locating.seen import Seen, SeenFrame
from paseo.pipeline.locating.sources.tracking import NOBODY, Follower
from paseo.vlm.failures import ModelError
from paseo.vlm.local.folders import model_folder
from paseo.vlm.local.weights import SAFELY, check_whole, device_called, told

FAMILIES = ("rt_detr", "rt_detr_v2", "d_fine")
RUNS = "finds people in pictures"
PERSON = "person"
FAINTEST = 0.1  # confidence: ByteTrack goes on with boxes that are too faint to begin a track
EXAMPLE = "PekingU/rtdetr_v2_r18vd"


class Detector:
    """Finds people in the pictures themselves, by `NAME@REVISION` of the hub or a folder."""

    def __init__(self, model: str, *, device: str | None = None) -> None:
        torch = require("torch", "local", RUNS)
        transformers = require("transformers", "local", RUNS)
        name, at, revision = model.rpartition("@")
        if not at or Path(model).expanduser().is_dir():
            name, revision = model, ""
        folder = model_folder(name, revision=revision or None, prefix="", example=EXAMPLE)
        with told(model):
            config = transformers.AutoConfig.from_pretrained(folder, **SAFELY)
            if config.model_type not in FAMILIES:
                raise ModelError(
                    f"{model}: is of the kind {config.model_type}, expected one of "
                    f"{', '.join(FAMILIES)}"
                )
            self._processor: Any = transformers.AutoImageProcessor.from_pretrained(
                folder, backend="pil", **SAFELY
            )
            weights, info = transformers.AutoModelForObjectDetection.from_pretrained(
                folder, config=config, use_safetensors=True, output_loading_info=True, **SAFELY
            )
            check_whole(info, model)
        self._torch, self._device = torch, device_called(torch, device)
        self._weights: Any = weights.to(self._device).eval()
        self._people = _people(config.id2label, model)

    def frames(self, drive: Drive) -> Iterator[SeenFrame]:
        """Who is in each frame, in order; each picture is looked at once."""
        follower = Follower(drive)
        for frame in drive.frames():
            people = follower.known(self.detections(frame), frame.time)
            if people:
                yield SeenFrame(frame.number, people)

    def detections(self, frame: Frame) -> Sequence[Seen]:
        """The people in a picture, as nobody in particular."""
        where = Path(f"frame {frame.number}")
        image_size(frame.picture, where)  # before it is decoded
        with Image.open(io.BytesIO(frame.picture)) as picture:
            image = picture.convert("RGB")
        inputs = self._processor(images=image, return_tensors="pt").to(self._device)
        with self._torch.inference_mode():
            outputs = self._weights(**inputs)
        (found,) = self._processor.post_process_object_detection(
            outputs, threshold=FAINTEST, target_sizes=[(image.height, image.width)]
        )
        rows = zip(*(found[key].tolist() for key in ("scores", "labels", "boxes")), strict=True)
        return [
            Seen(person=NOBODY, box=(box[0], box[1], box[2], box[3]), confidence=score)
            for score, label, box in rows
            if label in self._people and box[2] > box[0] and box[3] > box[1]
        ]


def _people(labels: dict[int, str], model: str) -> set[int]:
    """Which of the detector's classes are people."""
    found = {int(number) for number, label in labels.items() if str(label).lower() == PERSON}
    if not found:
        raise BadValue(f"{model}: knows no class 'person', so it finds nobody; take another")
    return found
