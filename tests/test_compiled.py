import subprocess
import sys
from pathlib import Path

import numpy as np

from paseo.compiled import compiled, kernel_sources, like


@compiled
def third(numbers):
    return like(1.0, numbers[0]) / numbers[0]


def test_a_kernel_computes_in_the_precision_of_its_numbers() -> None:
    single, double = (third(np.array([3.0], number)) for number in (np.float32, np.float64))
    assert single == float(np.float32(1) / np.float32(3)) != double == 1 / 3


def test_a_kernel_is_compiled_anew_when_one_that_it_calls_has_changed(tmp_path: Path) -> None:
    (tmp_path / "caller.py").write_text(
        "import sys\n"
        "from paseo import compiled\n"
        "compiled.kernel_sources = lambda: sys.argv[1]\n"
        "@compiled.compiled\n"
        "def one(): return 1\n"
        "one()\n"
        "print(sum(one.stats.cache_hits.values()))\n"
    )
    assert [_hits(tmp_path, sources) for sources in ("old", "old", "new", "new")] == [0, 1, 0, 1]


def _hits(folder: Path, sources: str) -> int:
    command = [sys.executable, folder / "caller.py", sources]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def test_the_sources_of_kernels_have_one_stamp_in_every_process() -> None:
    assert len(kernel_sources()) == 64


def test_a_kernel_that_was_kept_with_types_of_a_module_that_is_gone_is_compiled_anew(
    tmp_path: Path,
) -> None:
    (tmp_path / "gone.py").write_text(
        "from typing import NamedTuple\nclass Pair(NamedTuple):\n    a: float\n    b: float\n"
    )
    caller = tmp_path / "caller.py"
    caller.write_text(
        "from paseo.compiled import compiled\n"
        "import importlib, sys\n"
        "@compiled\ndef total(pair):\n    return pair.a + pair.b\n"
        "print(total(importlib.import_module(sys.argv[1]).Pair(1.0, 2.0)))\n"
    )
    for module in ("gone", "moved"):
        done = subprocess.run(
            [sys.executable, caller, module], check=True, capture_output=True, text=True
        )
        assert done.stdout == "3.0\n"
        if module == "gone":
            (tmp_path / "gone.py").rename(tmp_path / "moved.py")
