"""Films for local models; transformers' own patches and sizes, which need no torchvision, are the
oracle. `pip install 'paseo[local]'` if these fail to import."""

from typing import Any

import numpy as np
import pytest
from PIL import Image

from paseo.vlm.local.films import FilmProcessor

pytestmark = [pytest.mark.slow, pytest.mark.extra("local")]

PATCHES = {"patch_size": 4, "temporal_patch_size": 2, "merge_size": 2}
COLOURS = {"image_mean": [0.5, 0.4, 0.3], "image_std": [0.25, 0.2, 0.1]}
EACH = {"size": {"shortest_edge": 64, "longest_edge": 64 * 48}, **PATCHES, **COLOURS}
TOGETHER = {"size": {"shortest_edge": 2048, "longest_edge": 40_000}, **PATCHES, **COLOURS}


def frames(count: int, width: int = 64, height: int = 48) -> list[Image.Image]:
    noise = np.random.default_rng(7).integers(0, 256, (count, height, width, 3), dtype=np.uint8)
    return [Image.fromarray(each) for each in noise]


def film(family: str, config: dict[str, Any], images: list[Image.Image]) -> dict[str, Any]:
    told = {"total_num_frames": len(images), "fps": 4.0, "frames_indices": [*range(len(images))]}
    return FilmProcessor(config, family)([images], video_metadata=[told])


def own_patches(images: list[Image.Image]) -> Any:
    """What transformers makes of frames that need no scaling."""
    import torch
    from transformers.models.qwen3_vl.video_processing_qwen3_vl import Qwen3VLVideoProcessor

    pixels = np.stack([np.asarray(each) for each in images]) / 255.0
    normal = (pixels - COLOURS["image_mean"]) / COLOURS["image_std"]
    video = torch.tensor(normal.transpose(0, 3, 1, 2)[None]).contiguous()
    patches, *_ = Qwen3VLVideoProcessor.patchify(None, video, 4, 2, 2)
    return patches[0].numpy()


@pytest.mark.parametrize("count", [1, 2, 5, 10])
@pytest.mark.parametrize(
    ("family", "config"),
    [("Qwen2VLProcessor", EACH), ("Qwen2_5_VLProcessor", EACH), ("Qwen3VLProcessor", TOGETHER)],
)
def test_patches_of_qwen_are_those_of_transformers(
    family: str, config: dict[str, Any], count: int
) -> None:
    images = frames(count)
    made = film(family, config, images)
    assert made["video_grid_thw"].tolist() == [[(count + 1) // 2, 12, 16]]
    assert made["pixel_values_videos"] == pytest.approx(own_patches(images), abs=1e-5)


@pytest.mark.parametrize("count", [2, 3, 5, 7, 10])
@pytest.mark.parametrize(("width", "height"), [(64, 48), (100, 90), (400, 30), (13, 9), (4, 30)])
def test_frames_of_qwen3_have_the_size_that_transformers_gives_them(
    count: int, width: int, height: int
) -> None:
    from transformers.models.qwen3_vl.video_processing_qwen3_vl import smart_resize

    rows, columns = smart_resize(count, height, width, 2, 8, 2048, 40_000)
    made = film("Qwen3VLProcessor", TOGETHER, frames(count, width, height))
    assert made["video_grid_thw"].tolist() == [[(count + 1) // 2, rows // 4, columns // 4]]


def test_large_frames_of_qwen2_are_scaled_down_one_by_one() -> None:
    few, many = (film("Qwen2_5_VLProcessor", EACH, frames(n, 640, 480)) for n in (2, 20))
    assert few["video_grid_thw"].tolist() == [[1, 12, 16]]
    assert many["video_grid_thw"].tolist() == [[10, 12, 16]]


def test_frames_of_llava_become_squares_with_all_that_is_in_them() -> None:
    config = {"size": {"shortest_edge": 8}, "crop_size": {"height": 8, "width": 8}, **COLOURS}
    wide = [Image.new("RGB", (40, 16), (255 * k, 51, 0)) for k in (0, 1)]
    wide[1].paste((0, 51, 0), (0, 0, 20, 16))
    made = film("LlavaNextVideoProcessor", config, wide)["pixel_values_videos"]
    assert made.shape == (1, 2, 3, 8, 8)
    red, green, blue = np.moveaxis(made[0], 1, 0)
    assert red[0] == pytest.approx(-2, abs=1e-4)
    assert red[1, :, 0] == pytest.approx(-2, abs=0.1) and red[1, :, 7] == pytest.approx(2, abs=0.1)
    assert green == pytest.approx(-1, abs=1e-4) and blue == pytest.approx(-3, abs=1e-4)


def test_when_frames_were_taken_is_told() -> None:
    told = film("Qwen2_5_VLProcessor", EACH, frames(3))["video_metadata"][0]
    assert told.sampled_fps == 4.0 and told.timestamps == [0.0, 0.25, 0.5]
