"""The synthetic data set with small pictures, made once for all processes that share the tests."""

import fcntl
from pathlib import Path

import pytest

SEED = 3


def staged_dataset(factory: pytest.TempPathFactory) -> Path:
    """The folder that the first who asks makes; nobody may change it."""
    from paseo.vqa.synthetic import Profile, make_dataset

    base = factory.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base
    folder = shared / "staged"
    with (shared / "staged.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.is_dir():
            make_dataset(folder, seed=SEED, profile=Profile.TINY)
    return folder
