"""Two hundred people in a study at once, four of them in real browsers: how fast its pages are.

    python benchmarks/survey/load.py [--people 200] [--browsers 4] [--pause-s 2] [--within-s 60]

`paseo survey serve` serves a study of 20 scenes, in a process of its own. People come within a
minute, by real HTTP or each in a headless Chromium of their own, and think a while before each
answer (exponential). A page is from the request for it to its last byte, redirects included, as
seen by who asked; in browsers, by the browser's own clock. In the end every answer that somebody
was told to be stored must be in the database, once. Fails if one is not, or if the 95th percentile
of pages is above 300 ms.
"""

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import which
from signal import SIGTERM
from typing import Any

import numpy as np

from paseo.survey.store.answers import Answers
from paseo.survey.store.database import Database
from paseo.survey.store.people import People, Stage
from paseo.survey.study.folder import Study

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "support" / "vqa"))
sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "support" / "survey"))
from studies import Client, Surfer, tiny_study

LIMIT_MS = 300.0
IDLE_S = 2.0  # after which somebody connects again
MOST_FAULTS = 5  # that are told
SCENES, EACH, PICTURE_PX = 20, 2, 640
COMMAND = [sys.executable, "-c", "from paseo.cli.main import main; raise SystemExit(main())"]
BROWSER = next(filter(None, map(which, ("chromium", "chromium-browser", "google-chrome"))), None)


class TimedClient(Client):
    """A client that thinks, and notes how long it waits."""

    def __init__(self, address: str, study: Study, pause: Callable[[], None]) -> None:
        super().__init__(address, study)
        self._address, self._pause = address, pause
        self._asking, self._last = False, 0.0
        self.pages_ms: list[float] = []
        self.answers_ms: list[float] = []

    def ask(self, path: str, form: dict[str, Any] | None = None) -> str:
        if self._asking:  # sent on from the page that was asked for
            return super().ask(path, form)
        if path == "/answer":
            self._pause()
        begun, self._asking = time.perf_counter(), True
        if begun - self._last > IDLE_S:  # the server has let go of the connection, or will now
            self.connect(self._address)
        try:
            return super().ask(path, form)
        finally:
            self._last, self._asking = time.perf_counter(), False
            taken = 1e3 * (self._last - begun)
            (self.answers_ms if path == "/answer" else self.pages_ms).append(taken)


class Crowd:
    """Everybody, each in a thread of their own."""

    def __init__(self, study: Study, address: str, *, pause_s: float, within_s: float) -> None:
        self.study, self.address = study, address
        self._pause_s, self._within_s = pause_s, within_s
        self._lock = threading.Lock()
        self.clients: list[TimedClient] = []
        self.surfers: list[Surfer] = []
        self.faults: list[str] = []

    def come(self, people: int, browsers: int) -> None:
        """Let all of them take part, from beginning to end."""
        kinds = [self._surf] * browsers + [self._ask] * (people - browsers)
        threads = [threading.Thread(target=self._one, args=each) for each in enumerate(kinds)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _one(self, number: int, take_part: Callable[[np.random.Generator], None]) -> None:
        rng = np.random.default_rng([200, number])
        time.sleep(rng.uniform(0, self._within_s))
        try:
            take_part(rng)
        except Exception as error:  # whatever it was, it is told below
            with self._lock:
                self.faults.append(f"person {number}: {error!r:.300}")

    def _ask(self, rng: np.random.Generator) -> None:
        pause = self._thinking(rng)
        client = TimedClient(self.address, self.study, pause)
        with self._lock:
            self.clients.append(client)
        client.take_part()

    def _surf(self, rng: np.random.Generator) -> None:
        from playwright.sync_api import sync_playwright

        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
            page = browser.new_page()
            page.set_default_timeout(120_000)
            surfer = Surfer(page, self.address, self.study)
            with self._lock:
                self.surfers.append(surfer)
            surfer.take_part(self._thinking(rng))
            browser.close()

    def _thinking(self, rng: np.random.Generator) -> Callable[[], None]:
        return lambda: time.sleep(float(rng.exponential(self._pause_s)) if self._pause_s else 0.0)


def told(name: str, times: list[float]) -> float:
    """Print quantiles, and return the 95th percentile."""
    if not times:
        return 0.0
    middle, most, slowest = np.quantile(times, [0.5, 0.95, 1.0])
    share = np.mean(np.array(times) < LIMIT_MS)
    print(
        f"{name:20} {len(times):6}  median {middle:5.0f} ms  95 % {most:5.0f} ms  "
        f"slowest {slowest:5.0f} ms  under {LIMIT_MS:.0f} ms: {100 * share:.1f} %"
    )
    return float(most)


def accounted(study: Study, crowd: Crowd, people: int) -> bool:
    """Whether everybody is done and every answer is there, once."""
    everybody = [*crowd.clients, *crowd.surfers]
    given = Counter(item for each in everybody for item in each.given.items())
    with closing(Database(study.database)) as db:
        stages = Counter(each.stage for each in People(db).every())
        stored = Counter(
            ((each.scene, each.question), each.option[0]) for each in Answers(db).every()
        )
        rows = db.rows(tuple[int], "SELECT count(*) FROM answers")[0][0]
        done = {each.done for each in People(db).counts(study.scenes, now=0, limit=1e12).values()}
    print(f"people: {dict(stages)}; of {given.total()} answers given, {rows} are stored")
    print(f"people per scene: {sorted(done)}, wanted {study.settings.per_scene}")
    whole = stages == {Stage.DONE: people} and done == {study.settings.per_scene}
    return whole and given == stored and rows == given.total()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--browsers", type=int, default=4)
    parser.add_argument("--pause-s", type=float, default=2.0)
    parser.add_argument("--within-s", type=float, default=60.0)
    options = parser.parse_args()
    scenes = {f"s{number}": (1,) for number in range(SCENES)}
    with tempfile.TemporaryDirectory() as folder:
        study = tiny_study(
            Path(folder) / "study",
            scenes,
            size=PICTURE_PX,
            per_scene=options.people * EACH // SCENES,
            scenes_each=EACH,
        )
        words = ["survey", "serve", str(study.folder), "--port", "0"]
        with subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1].rstrip("/")
            crowd = Crowd(study, address, pause_s=options.pause_s, within_s=options.within_s)
            begun = time.perf_counter()
            crowd.come(options.people, options.browsers)
            print(f"{options.people} people, {options.browsers} of them in browsers: "
                  f"{time.perf_counter() - begun:.0f} s")  # fmt: skip
            server.send_signal(SIGTERM)
            server.wait()
        slowest = told("pages", [ms for each in crowd.clients for ms in each.pages_ms])
        told("answers", [ms for each in crowd.clients for ms in each.answers_ms])
        in_browsers = told(
            "pages in browsers", [ms for each in crowd.surfers for ms in each.pages_ms]
        )
        for fault in crowd.faults[:MOST_FAULTS]:
            print(fault)
        whole = accounted(study, crowd, options.people) and not crowd.faults
    return 0 if whole and max(slowest, in_browsers) <= LIMIT_MS else 1


if __name__ == "__main__":
    sys.exit(main())
