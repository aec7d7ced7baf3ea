"""What warp computes: bones to skins, triangles to pixels, light to colours.

Warp compiles all kernels of a module of its own at once, and keeps them in the user's cache
(`WARP_CACHE_PATH` names another place). Ours are all of one such module, wherever they stand: each
takes its time to begin.
"""

import os
from pathlib import Path
from typing import Any

from paseo.errors import require
from paseo.lasting import lasting

with lasting():
    wp: Any = require("warp", "camera", "draws what a camera sees", package="warp-lang")
wp.config.log_level = wp.LOG_ERROR


def _begin() -> None:
    """Let warp look for graphics cards; where there is none it says so past all its settings."""
    kept = os.dup(2)
    with Path(os.devnull).open("w") as nowhere:
        try:
            os.dup2(nowhere.fileno(), 2)
            wp.init()
        finally:
            os.dup2(kept, 2)
            os.close(kept)


_begin()
MODULE: Any = wp.get_module(__name__)
MODULE.options |= {"enable_backward": False, "max_unroll": 1}
