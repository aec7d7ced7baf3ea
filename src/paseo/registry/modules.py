"""Modules by name or by file, imported with a sentence for each way in which that can fail."""

import hashlib
import importlib
import importlib.util
import os
import sys
from contextlib import redirect_stdout
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

from paseo.errors import BadValue, InputError
from paseo.files import bounded_stream, opened
from paseo.text import error_words

LARGEST = 4 << 20  # bytes of a file
TOO_LARGE = "expected Python; check the path"
FILE_MODULE = "paseo_file_"  # begins the names of modules that are files

_folders: dict[str, bool] = {}  # that files were imported from; whether put on the path for it
_before: set[str] = set()  # modules that were there before the first of these files


def imported(kind: str, name: str, reference: str) -> ModuleType:
    """The module `name`, or the file if it ends in .py, that a reference to a `kind` leads to.

    What it prints goes to stderr. `ModuleNotFoundError` is left to who knows what was meant.
    """
    try:
        with redirect_stdout(sys.stderr):  # it may talk; stdout is for our data
            by_file = name.endswith(".py")
            return _file_module(kind, Path(name)) if by_file else importlib.import_module(name)
    except (InputError, ModuleNotFoundError):
        raise
    except (Exception, SystemExit) as error:
        raise BadValue(
            f"{kind} '{reference}': {name} cannot be imported ({error_words(error)})"
        ) from error


def forget_files() -> None:
    """Forget all files of users and the files they imported from beside them.

    The next one by file is imported afresh, as if it were the first.
    """
    for name, module in list(sys.modules.items()):
        if name.startswith(FILE_MODULE) or (name not in _before and _lies_beside(name, module)):
            del sys.modules[name]
    sys.path[:] = [folder for folder in sys.path if not _folders.get(folder)]
    _folders.clear()


def _lies_beside(name: str, module: ModuleType) -> bool:
    """Whether a module was imported from a folder of files; not so what only lies deep in it."""
    file = getattr(module, "__file__", None)
    stem = name.replace(".", os.sep)
    endings = (f"{stem}.py", f"{stem}{os.sep}__init__.py")
    return file in {f"{folder}{os.sep}{end}" for folder in _folders for end in endings}


class _Source(SourceFileLoader):
    """Reads a file of Python within bounds."""

    def get_data(self, path: str) -> bytes:
        """The source, or what Python keeps of it."""
        with opened(Path(path)) as stream:
            return bounded_stream(stream, Path(path), LARGEST, too_large=TOO_LARGE)


def _file_module(kind: str, path: Path) -> ModuleType:
    if not path.is_file():
        raise BadValue(f"{kind} file {path}: no such file; check the path")
    place = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]
    name = f"{FILE_MODULE}{path.stem}_{place}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path, loader=_Source(name, str(path)))
    if spec is None or spec.loader is None:
        raise BadValue(f"{kind} file {path}: is not Python")
    module = importlib.util.module_from_spec(spec)
    folder = str(path.resolve().parent)
    if not _before:
        _before.update(sys.modules)
    sys.modules[name] = module
    _folders.setdefault(folder, folder not in sys.path)
    if folder not in sys.path:  # files beside it can be imported, as from any script
        sys.path.append(folder)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
