"""Frames to what local models watch films in, with Pillow: transformers' own way needs torchvision.

The frames go through the family's own processor for pictures, so that a film and its frames are
scaled and coloured alike, and are the same on every machine.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Pixels = NDArray[np.float32]
Film = Callable[[Sequence[Image.Image]], dict[str, Any]]  # from frames to what the model is given


class FilmProcessor:
    """What transformers' processor of a family is given to prepare films with."""

    model_input_names = ("pixel_values_videos", "video_grid_thw")

    def __init__(self, config: Mapping[str, Any], family: str) -> None:
        self._film, frames = FAMILIES[family](config)
        self.merge_size: int = getattr(frames, "merge_size", 1)
        self.temporal_patch_size: int = getattr(frames, "temporal_patch_size", 1)

    def __call__(
        self, videos: Sequence[Any], *, video_metadata: Sequence[Mapping[str, Any]], **_: object
    ) -> dict[str, Any]:
        """The pixels of one film, all its frames, and when they were taken."""
        metadata = import_module("transformers.video_utils").VideoMetadata
        (frames,) = videos
        return {**self._film(frames), "video_metadata": [metadata(**video_metadata[0])]}


def squeeze(images: Any) -> None:
    """Have a processor of pictures squeeze what it would crop: who is at the edge counts as well.

    The original benchmark squeezes all pictures to squares before any model sees them.
    """
    crops = getattr(images, "do_center_crop", False)
    if crops and not hasattr(images, "image_grid_pinpoints"):  # those are cut up, not cropped
        images.size, images.do_center_crop = images.crop_size, False


def _llava(config: Mapping[str, Any]) -> tuple[Film, Any]:
    """LLaVA-NeXT-Video: one small square per frame."""
    plain = {name: value for name, value in config.items() if name != "image_grid_pinpoints"}
    frames = import_module("transformers").CLIPImageProcessorPil(**plain)
    squeeze(frames)

    def film(images: Sequence[Image.Image]) -> dict[str, Any]:
        return {"pixel_values_videos": frames(list(images), return_tensors="np").pixel_values[None]}

    return film, frames


def _qwen(config: Mapping[str, Any]) -> tuple[Film, Any]:
    """Qwen-VL before 3: patches that reach over two frames; `size` limits each frame."""
    frames = import_module("transformers").Qwen2VLImageProcessorPil(**config)

    def film(images: Sequence[Image.Image]) -> dict[str, Any]:
        return _in_patches(frames(list(images), return_tensors="np"), frames.temporal_patch_size)

    return film, frames


def _qwen3(config: Mapping[str, Any]) -> tuple[Film, Any]:
    """Qwen3-VL: the same patches, but `size` limits all frames together."""
    frames = import_module("transformers").Qwen2VLImageProcessorPil(**config)
    sizes = import_module("transformers.models.qwen3_vl.video_processing_qwen3_vl")
    depth = frames.temporal_patch_size

    def film(images: Sequence[Image.Image]) -> dict[str, Any]:
        height, width = sizes.smart_resize(
            max(len(images), depth),
            images[0].height,
            images[0].width,
            temporal_factor=depth,
            factor=frames.patch_size * frames.merge_size,
            min_pixels=frames.size["shortest_edge"],
            max_pixels=frames.size["longest_edge"],
        )
        scaled = [each.resize((width, height), frames.resample) for each in images]
        return _in_patches(frames(scaled, do_resize=False, return_tensors="np"), depth)

    return film, frames


def _in_patches(frames: Mapping[str, Any], depth: int) -> dict[str, Any]:
    """Patches of single frames, each `depth` times the same, as patches over `depth` frames."""
    count, (_, rows, columns) = len(frames["image_grid_thw"]), frames["image_grid_thw"][0]
    patches: Pixels = frames["pixel_values"].reshape(count, rows * columns, 3, depth, -1)
    first = patches[:, :, :, 0]  # (frames, patches, colours, pixels)
    missing = -count % depth
    whole = np.concatenate([first, first[-1:].repeat(missing, axis=0)])  # the last frame stays
    steps = len(whole) // depth
    deep = whole.reshape(steps, depth, rows * columns, 3, -1).transpose(0, 2, 3, 1, 4)
    return {
        "pixel_values_videos": deep.reshape(steps * rows * columns, -1),
        "video_grid_thw": np.array([[steps, rows, columns]]),
    }


FAMILIES: Mapping[str, Callable[[Mapping[str, Any]], tuple[Film, Any]]] = {
    "LlavaNextVideoProcessor": _llava,
    "Qwen2VLProcessor": _qwen,
    "Qwen2_5_VLProcessor": _qwen,
    "Qwen3VLProcessor": _qwen3,
}
