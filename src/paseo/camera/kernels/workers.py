"""Threads that share a kernel's work; warp itself uses one for each launch on a processor."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from typing import Any

from paseo.camera.kernels import (
    layout,
    occlusion,
    raster,
    shading,
    skinning,
    smoothing,
    sunlight,
    wp,
)
from paseo.progress import Progress

MODULES = (layout, skinning, raster, sunlight, occlusion, shading, smoothing)
SHARES = 4  # of the work, for each thread, so that none waits long for the others


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

    def rows(self, kernel: Any, height: int, count: int, inputs: Sequence[object]) -> None:
        """Launch a kernel over all things for each band of rows; it gets the band's first."""
        if count:
            self._all(
                lambda low, high: wp.launch(
                    kernel, dim=count, inputs=[wp.vec2i(low, high), *inputs], device=self.device
                ),
                height,
            )

    def _all(self, launch: Callable[[int, int], None], count: int) -> None:
        shares = list(_shares(count, self._shares))
        if self._pool is None:
            for low, high in shares:
                launch(low, high)
        else:
            for done in [self._pool.submit(launch, *share) for share in shares]:
                done.result()


def _shares(count: int, parts: int) -> Iterator[tuple[int, int]]:
    bounds = [count * k // parts for k in range(parts + 1)]
    return ((low, high) for low, high in pairwise(bounds) if low < high)


def best_device() -> str:
    """The first graphics card that warp sees, or the processor."""
    wp.init()
    with suppress(Exception):
        if wp.is_cuda_available():
            return "cuda:0"
    return "cpu"


def load(device: str, progress: Progress) -> None:
    """Compile all kernels, or take them from the cache; tells which are being compiled."""
    for place, module in enumerate(MODULES):
        progress("loading the camera's kernels", place, len(MODULES))
        wp.load_module(module, device=device)
    progress("loading the camera's kernels", len(MODULES), len(MODULES))
