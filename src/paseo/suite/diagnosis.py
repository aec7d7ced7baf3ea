"""What is installed on this machine, and where data is."""

import os
import platform
import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from paseo.camera.view import drawn_by
from paseo.data.store.catalog import known_recordings
from paseo.data.store.locations import DataFolder, data_folder
from paseo.errors import MissingData, MissingExtra
from paseo.suite.runners.kernels import are_compiled

EXTRAS = {
    "hub": "data sets of the Hugging Face hub, such as SocialNav-SUB",
    "plots": "pictures, plots of metrics and reports",
    "video": "films",
    "mcap": "records for Foxglove",
    "camera": "what a camera on the robot sees",
    "mesh": "meshes of your own as places for the camera",
    "rerun": "records for Rerun",
    "openai": "models of OpenAI and servers that speak its protocol",
    "gemini": "models of Google",
    "anthropic": "models of Anthropic",
    "local": "models on this machine, through Hugging Face transformers",
    "ocr": "rules that read bird's-eye pictures",
    "tesseract": "the same with Tesseract, which is installed apart",
    "parquet": "scenes and questions as Parquet",
    "inspect": "scenes and questions as an inspect_ai task",
    "survey": "studies that people answer in a browser",
    "bags": "bags that robots recorded with ROS",
    "tracking": "people who are followed from frame to frame",
    "docs": "building the documentation",
    "dev": "tests, type checks, linting and building",
}


@dataclass(frozen=True, slots=True)
class Package:
    """A package that Paseo needs, and the version that is installed, if any."""

    name: str
    version: str | None


@dataclass(frozen=True, slots=True)
class Extra:
    """What can be installed on top, and what for."""

    name: str
    purpose: str
    packages: tuple[Package, ...]

    @property
    def missing(self) -> list[str]:
        """The packages that are not there."""
        return [package.name for package in self.packages if package.version is None]


@dataclass(frozen=True, slots=True)
class FoundRecording:
    """A recording that has a name, and its file, if it is there."""

    name: str
    file: Path | None

    @property
    def can_be_fetched(self) -> bool:
        """Whether `paseo data fetch` knows where to get it."""
        return self.name in known_recordings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What is installed, what each extra would add, and where data is."""

    paseo: str
    python: str
    machine: str
    cores: int | None
    kernels_are_compiled: bool
    camera: str | None  # what its pictures are drawn by; None: its extra is missing
    packages: tuple[Package, ...]
    extras: tuple[Extra, ...]
    data: Path
    recordings: tuple[FoundRecording, ...]


def diagnosis(data: Path | None = None) -> Diagnosis:
    """Look at this machine; recordings are looked for in `data` or PASEO_DATA."""
    needed, folder = _packages(), data_folder(data)
    return Diagnosis(
        paseo=version("paseo"),
        python=platform.python_version(),
        machine=platform.platform(),
        cores=os.cpu_count(),
        kernels_are_compiled=are_compiled(),
        camera=_camera(),
        packages=needed.pop(""),
        extras=tuple(Extra(name, EXTRAS.get(name, ""), each) for name, each in needed.items()),
        data=folder.path,
        recordings=tuple(FoundRecording(n, _file(n, folder)) for n in folder.recordings()),
    )


def _camera() -> str | None:
    try:
        return drawn_by()
    except MissingExtra:
        return None


def _file(recording: str, folder: DataFolder) -> Path | None:
    try:
        return folder.file(recording)
    except MissingData:
        return None


def _packages() -> dict[str, tuple[Package, ...]]:
    """What Paseo itself and each extra need, by extra; the core is the empty name."""
    packages: dict[str, tuple[Package, ...]] = {"": ()}
    for requirement in requires("paseo") or []:
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        named = re.search(r"extra == ['\"]([\w-]+)['\"]", requirement)
        extra = named[1] if named else ""
        packages[extra] = (*packages.get(extra, ()), Package(name, _installed(name)))
    return packages


def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
