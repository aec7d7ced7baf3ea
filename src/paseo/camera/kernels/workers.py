"""Threads that share a kernel's work; warp itself uses one for each launch on a processor."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

from paseo.camera.kernels import (
    MODULE,
    occlusion,
    raster,
    shading,
    shrinking,
    skinning,
    smoothing,
    sunlight,
    wp,
)
from paseo.progress import Progress

# Who hold kernels: a kernel that comes later would have all of them compiled anew.
PARTS = (shrinking, skinning, raster, sunlight, occlusion, shading, smoothing)
COMPILING = "compiling the camera, which is done once and takes some ten seconds"
BLOCK = 256  # threads that warp has work together on a graphics card
SHARES = 2  # of the work, for each thread, so that none waits long for the others


class Workers:
    """Launches on one device; with more threads the same bytes, sooner."""

    def __init__(self, device: str, threads: int) -> None:
        self.device = device
        self._on_cpu = device == "cpu"
        self._shares = threads * SHARES if self._on_cpu and threads > 1 else 1
        self._pool = ThreadPoolExecutor(threads) if self._shares > 1 else None

    def each(self, kernel: Any, count: int, inputs: Sequence[object]) -> None:
        """Launch a kernel over so many things; it gets the first of its share before `inputs`."""
        self._all(
            lambda low, high: wp.launch(
                kernel, dim=high - low, inputs=[low, *inputs], device=self.device
            ),
            count,
        )

    def rows(
        self, kernel: Any, height: int, count: int, inputs: Sequence[object], *, step: int = 1
    ) -> None:
        """Launch a kernel over all things for each band of rows, which it gets before `inputs`.

        All bands but the last are multiples of `step` rows.
        """
        if count:
            self._all(
                lambda low, high: wp.launch(
                    kernel, dim=count, inputs=[wp.vec2i(low, high), *inputs], device=self.device
                ),
                height,
                step,
            )

    def _all(self, launch: Callable[[int, int], None], count: int, step: int = 1) -> None:
        shares = list(_shares(count, self._shares, step))
        if self._pool is None:
            for low, high in shares:
                launch(low, high)
        else:
            for done in [self._pool.submit(launch, *share) for share in shares]:
                done.result()


def _shares(count: int, parts: int, step: int) -> Iterator[tuple[int, int]]:
    bounds = [*(count * k // parts // step * step for k in range(parts)), count]
    return ((low, high) for low, high in pairwise(bounds) if low < high)


def best_device() -> str:
    """The first graphics card that warp sees, or the processor."""
    return "cuda:0" if wp.is_cuda_available() else "cpu"


def device_words(device: str) -> str:
    """What draws, for people to read."""
    return "the processor" if device == "cpu" else f"{wp.get_device(device).name} ({device})"


def load(device: str, progress: Progress) -> None:
    """Take all kernels from the cache, or compile them, which is told; so is a graphics card."""
    if not _is_cached(device):
        progress(COMPILING, 0, 0)
    shares_headers = wp.config.use_precompiled_headers
    wp.config.use_precompiled_headers = False  # which take longer to prepare than one module gains
    try:
        wp.load_module(MODULE.name, device=device)
    finally:
        wp.config.use_precompiled_headers = shares_headers
    if device != "cpu":
        progress(f"the camera draws on {device_words(device)}", 0, 0)


def _is_cached(device: str) -> bool:
    name = MODULE.get_module_identifier(1 if device == "cpu" else BLOCK)
    return (Path(wp.config.kernel_cache_dir) / name).is_dir()
