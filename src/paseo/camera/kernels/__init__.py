"""What warp computes: bones to skins, triangles to pixels, light to colours.

Warp compiles a module's kernels when one is first launched, all that stand in it, and keeps them
in the user's cache (`WARP_CACHE_PATH` names another place): what seldom changes stands apart.
"""

import os
from pathlib import Path
from typing import Any

from paseo.errors import require

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
