"""What warp computes: bones to skins, triangles to pixels, light to colours.

Warp compiles a module's kernels when one is first launched, all that stand in it, and keeps them
in the user's cache (`WARP_CACHE_PATH` names another place): what seldom changes stands apart.
"""

from paseo.errors import require

_warp = require("warp", "camera", "draws what a camera sees", package="warp-lang")
_warp.config.log_level = _warp.LOG_ERROR
