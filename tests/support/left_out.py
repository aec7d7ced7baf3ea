"""Tests that this machine cannot run are skipped with what is missing, and counted at the end."""

import ctypes
import os
import shutil
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parents[1]
NAMED = os.environ.get("PASEO_DATA") or os.environ.get("PASEO_TEST_DATA")
DATA = Path(NAMED or TESTS.parents[1] / "shared" / "data").resolve()
HAVE_DATA = (DATA / "ethucy").is_dir()

# Programs that a machine need not have, by the marker of the tests that need them; CI must.
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
PROGRAMS = {
    "browser": BROWSER,
    "tesseract": shutil.which("tesseract"),
    "compiler": shutil.which("g++"),
}

# Packages that the core install does not bring, by the extra that does; `make test` brings most.
EXTRAS = {
    "hub": ("huggingface_hub",),
    "plots": ("matplotlib",),
    "video": ("av", "matplotlib"),
    "mcap": ("mcap",),
    "rerun": ("rerun",),
    "openai": ("openai",),
    "gemini": ("google.genai",),
    "anthropic": ("anthropic",),
    "local": ("torch", "transformers"),
    "ocr": ("rapidocr_onnxruntime",),
    "tesseract": ("pytesseract",),
    "parquet": ("pyarrow",),
    "inspect": ("inspect_ai",),
    "survey": ("starlette", "uvicorn"),
    "bags": ("rosbags",),
    "camera": ("warp",),
    "mesh": ("trimesh",),
    "tracking": ("supervision", "trackers"),
    "docs": ("ipykernel", "mkdocstrings_handlers", "nbclient", "zensical"),
    "dev": (
        "embreex",
        "foxglove_schemas_protobuf",
        "httpx2",
        "joblib",
        "jsonschema",
        "markdown_it",
        "playwright",
        "trustme",
        "xdist",
    ),
}
# Packages that cannot be imported without a library of the system, which comes as programs do.
LIBRARIES = {"ocr": "libGL.so.1"} if sys.platform == "linux" else {}
OURS = "left out: needs "  # begins the reason of every skip that is no error


def installed(package: str) -> bool:
    """Whether the package can be found, without importing it."""
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # of the package around it
        return False


def loads(library: str) -> bool:
    """Whether the system has the library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


PROGRAMS_MAY_MISS = not os.environ.get("PASEO_NEEDS_PROGRAMS")
EXTRAS_MAY_MISS = not os.environ.get("PASEO_NEEDS_EXTRAS")
NO_PROGRAM = {each for each, path in PROGRAMS.items() if PROGRAMS_MAY_MISS and path is None}
NO_LIBRARY = {each for each, name in LIBRARIES.items() if PROGRAMS_MAY_MISS and not loads(name)}
NO_EXTRA = {
    each
    for each, packages in EXTRAS.items()
    if EXTRAS_MAY_MISS and not all(map(installed, packages))
}


def lacks(item: pytest.Item) -> Iterator[str]:
    """What this test needs and the machine does not have, in words."""
    for mark in item.iter_markers("extra"):
        assert set(mark.args) <= set(EXTRAS), f"{item.nodeid}: no such extra: {mark.args}"
        yield from (f"paseo[{each}]" for each in mark.args if each in NO_EXTRA)
        yield from (LIBRARIES[each] for each in mark.args if each in NO_LIBRARY)
    yield from (each for each in PROGRAMS if each in NO_PROGRAM and item.get_closest_marker(each))
    if not HAVE_DATA and item.get_closest_marker("recordings"):
        yield f"the recordings (not at {DATA}; name the folder in PASEO_DATA)"


def extra_of(error: BaseException | None) -> str | None:
    """The extra whose package a test file imports in vain; none if it was a module of Paseo."""
    if not isinstance(error, ModuleNotFoundError) or error.name is None:
        return None
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or not Path(trace.tb_frame.f_code.co_filename).is_relative_to(TESTS):
        return None
    top = error.name.partition(".")[0]
    bringing = (
        e for e in EXTRAS if e in NO_EXTRA and any(p.partition(".")[0] == top for p in EXTRAS[e])
    )
    return next(bringing, None)


class LeftOut:
    """A plugin that skips what cannot run here, and tells how many tests for which reason.

    Each process that shares the tests collects them all, and hands its account to the first.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._slow_unwanted = "not slow" in config.option.markexpr
        self._slow = 0
        self._tests: Counter[str] = Counter()  # by what they need
        self._files: Counter[str] = Counter()  # that could not even be imported

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        report = yield
        call: pytest.CallInfo[Any] | None = getattr(report, "call", None)
        failure = call.excinfo.value if call and call.excinfo else None
        if extra := extra_of(failure.__cause__ if failure else None):
            self._files[f"paseo[{extra}]"] += 1
            report.outcome = "skipped"
            report.longrepr = (str(collector.path), 1, f"Skipped: {OURS}paseo[{extra}]")
        return report

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            if any(set(mark.args) & set(LIBRARIES) for mark in item.iter_markers("extra")):
                item.add_marker("library")
            if lacking := list(dict.fromkeys(lacks(item))):
                item.add_marker(pytest.mark.skip(reason=OURS + " and ".join(lacking)))

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        if self._slow_unwanted:
            self._slow += sum(1 for item in items if item.get_closest_marker("slow"))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            reasons = (mark.kwargs.get("reason", "") for mark in item.iter_markers("skip"))
            ours = [reason for reason in reasons if reason.startswith(OURS)]
            self._tests.update(reason.removeprefix(OURS) for reason in ours)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        slow, tests, files = getattr(node, "workeroutput", {}).get("left_out", (0, {}, {}))
        self._slow = max(self._slow, slow)
        self._tests, self._files = self._tests | Counter(tests), self._files | Counter(files)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            account = (self._slow, dict(self._tests), dict(self._files))
            session.config.workeroutput["left_out"] = account
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        if HAVE_DATA and reporter and any(map(_is_error, reporter.stats.get("skipped", []))):
            reporter.write_line("\nthe recordings are present, so a skipped test is an error")
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        where = DATA if HAVE_DATA else f"none at {DATA}"
        terminalreporter.write_line(f"shared recordings: {where}")
        terminalreporter.write_line(f"left out: {'; '.join(self._account()) or 'nothing'}")

    def _account(self) -> Iterator[str]:
        if self._slow:
            yield f"{_counted(self._slow, 'slow test')} (make test-slow runs them)"
        for need in sorted(self._tests | self._files):
            tests, files = self._tests[need], self._files[need]
            counts = [_counted(n, what) for n, what in ((tests, "test"), (files, "file")) if n]
            yield f"without {need} {' and '.join(counts)}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count > 1)}"


def _is_error(skipped: Any) -> bool:
    return OURS not in str(skipped.longrepr)
