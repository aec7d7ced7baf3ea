"""The synthetic data set with small pictures, made once."""

import shutil
from pathlib import Path

import pytest

from paseo.vqa.synthetic import Profile, make_dataset

SEED = 3


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Not to be changed."""
    folder = tmp_path_factory.mktemp("synthetic") / "sub"
    make_dataset(folder, seed=SEED, profile=Profile.TINY)
    return folder


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    """To be spoiled."""
    return Path(shutil.copytree(made, tmp_path / "sub"))
