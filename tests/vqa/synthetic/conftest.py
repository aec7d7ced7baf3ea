"""The synthetic data set with small pictures, to be read and to be spoiled."""

import shutil
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def made(staged: Path) -> Path:
    """Not to be changed."""
    return staged


@pytest.fixture
def copy(made: Path, tmp_path: Path) -> Path:
    """To be spoiled."""
    return Path(shutil.copytree(made, tmp_path / "sub"))
