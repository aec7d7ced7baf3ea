"""What warp computes: bones to skins, triangles to pixels, light to colours.

Warp compiles a module's kernels when one is first launched, all that stand in it, and keeps them
in the user's cache (`WARP_CACHE_PATH` names another place): what seldom changes stands apart.
"""

from typing import Any

from paseo.errors import require

wp: Any = require("warp", "camera", "draws what a camera sees", package="warp-lang")
wp.config.log_level = wp.LOG_ERROR
