"""Delete compiled kernels if any source changed since they were compiled.

Numba compiles a kernel anew when its own file changes, but not when a file changes whose kernels
it calls. Whoever works on Paseo, or pulls a newer one, would otherwise run old code.
"""

import hashlib
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src" / "paseo"


def main(stamp: Path) -> None:
    """Compare the sources with the stamp of the last time, and write it anew."""
    contents = (path.read_bytes() for path in sorted(SOURCE.rglob("*.py")))
    kernels = [content for content in contents if b"world.compiled" in content]
    now = hashlib.sha256(b"".join(kernels)).hexdigest()
    if stamp.exists() and stamp.read_text() == now:
        return
    for pattern in ("*.nbi", "*.nbc", "*.tried"):
        for file in SOURCE.rglob(pattern):
            file.unlink()
    stamp.write_text(now)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
