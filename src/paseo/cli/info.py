"""`paseo schema` and `paseo doctor`."""

import argparse
import json
import os
import platform
import re
from importlib.metadata import PackageNotFoundError, requires, version

import msgspec

from paseo.data.store.catalog import known_recordings
from paseo.data.store.locations import data_dir, recording_file, recording_names
from paseo.data.suites.priorities_file import PrioritiesFile
from paseo.data.suites.suite_file import RobotEntry, SuiteFile
from paseo.errors import MissingData
from paseo.suite.runners.kernels import are_compiled

EXTRAS = {
    "hub": "data sets of the Hugging Face hub, such as SocialNav-SUB",
    "plots": "pictures, plots of metrics and reports",
    "video": "films",
    "mcap": "records for Foxglove",
    "rerun": "records for Rerun",
    "openai": "models of OpenAI and servers that speak its protocol",
    "gemini": "models of Google",
    "anthropic": "models of Anthropic",
    "local": "models on this machine, through Hugging Face transformers",
    "ocr": "rules that read bird's-eye pictures",
    "tesseract": "the same with Tesseract, which is installed apart",
    "parquet": "scenes and questions as Parquet",
    "inspect": "scenes and questions as an inspect_ai task",
    "dev": "tests, type checks, linting and building",
}


def schema(options: argparse.Namespace) -> int:
    """Print the JSON schema of suite or robot files."""
    kinds = {"suite": SuiteFile, "robot": RobotEntry, "priorities": PrioritiesFile}
    print(json.dumps(msgspec.json.schema(kinds[options.kind]), indent=1))
    return 0


def doctor(options: argparse.Namespace) -> int:
    """Say what is installed, what each extra would add, and where data is."""
    print(f"paseo     {version('paseo')} on Python {platform.python_version()}")
    print(f"machine   {platform.platform()}, {os.cpu_count()} cores")
    print(f"kernels   {'compiled' if are_compiled() else 'not yet compiled: the first run will'}")
    for extra, names in _packages().items():
        missing = [name for name in names if not _installed(name)]
        if not extra:
            found = ", ".join(f"{name} {_installed(name) or 'MISSING'}" for name in names)
            print(f"packages  {found}")
        elif missing:
            print(f"extra     {extra} ({EXTRAS.get(extra, '')}): pip install 'paseo[{extra}]' "
                  f"adds {', '.join(missing)}")  # fmt: skip
        else:
            print(f"extra     {extra} ({EXTRAS.get(extra, '')}): installed")
    folder = data_dir(options.data)
    print(f"data      {folder}{'' if folder.is_dir() else ' (no such folder; set PASEO_DATA)'}")
    for name in recording_names(folder):
        try:
            print(f"          {name}: {recording_file(name, folder)}")
        except MissingData:
            is_known = name in known_recordings()
            remedy = f"get it with `paseo data fetch {name}`" if is_known else "import it again"
            print(f"          {name}: missing; {remedy}")
    return 0


def _packages() -> dict[str, list[str]]:
    """What Paseo itself and each extra need, by extra; the core is the empty name."""
    packages: dict[str, list[str]] = {"": []}
    for requirement in requires("paseo") or []:
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", requirement)
        packages.setdefault(extra[1] if extra else "", []).append(name)
    return packages


def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
