"""Many people at once, by real HTTP, and a server that is killed: no answer is lost or doubled."""

import http.client
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from paseo.survey.store.people import Stage
from studies import Client, Surfer, opened_visits, served, tiny_study

pytestmark = [pytest.mark.slow, pytest.mark.extra("survey")]

PEOPLE, SCENES = 200, 20
COMMAND = [sys.executable, "-c", "from paseo.cli.main import main; raise SystemExit(main())"]
LOST = (OSError, http.client.HTTPException)  # what a client sees of a server that is gone


def test_two_hundred_people_at_once_lose_and_double_nothing(tmp_path: Path) -> None:
    scenes = {f"s{number}": (1,) for number in range(SCENES)}
    study = tiny_study(tmp_path / "study", scenes, per_scene=PEOPLE * 2 // SCENES, scenes_each=2)
    with served(study, time.time) as address:
        clients = [Client(address, study) for _ in range(PEOPLE)]
        threads = [threading.Thread(target=each.take_part) for each in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    with opened_visits(study, time.time) as visits:
        people, stored = visits.people.every(), visits.answers.every()
        counts = visits.people.counts(scenes, now=time.time(), limit=1e9)
        rows = visits.db.rows(tuple[int], "SELECT count(*) FROM answers")
    assert Counter(each.stage for each in people) == {Stage.DONE: PEOPLE}
    assert {each.done for each in counts.values()} == {study.settings.per_scene}
    told = Counter(item for client in clients for item in client.given.items())
    assert told == Counter(((each.scene, each.question), each.option[0]) for each in stored)
    assert rows == [(told.total(),)]


@pytest.mark.browser
def test_people_in_browsers_among_many_others_lose_and_double_nothing(
    tmp_path: Path, browser_path: str
) -> None:
    people, browsers = 40, 4
    scenes = {f"s{number}": (1,) for number in range(4)}
    study = tiny_study(tmp_path / "study", scenes, per_scene=people // 4, scenes_each=1)
    surfers: list[Surfer] = []

    def surf() -> None:
        from playwright.sync_api import sync_playwright

        with sync_playwright() as playwright:
            page = playwright.chromium.launch(executable_path=browser_path).new_page()
            page.set_default_timeout(120_000)  # ms; the others have their turn, too
            surfers.append(Surfer(page, address, study))
            surfers[-1].take_part()

    with served(study, time.time) as address:
        clients = [Client(address, study) for _ in range(people - browsers)]
        threads = [threading.Thread(target=surf) for _ in range(browsers)]
        threads += [threading.Thread(target=each.take_part) for each in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    with opened_visits(study, time.time) as visits:
        stages = Counter(each.stage for each in visits.people.every())
        stored = visits.answers.every()
    assert stages == {Stage.DONE: people}
    told = Counter(item for each in (*clients, *surfers) for item in each.given.items())
    assert told == Counter(((each.scene, each.question), each.option[0]) for each in stored)


def answered(
    clients: list[Client], address: str, server: "subprocess.Popen[str]", few: int
) -> None:
    """Let everybody go on until so many more answers were acknowledged, then kill the server."""

    def go_on(client: Client) -> None:
        with suppress(*LOST):
            client.connect(address)
            client.take_part()

    threads = [threading.Thread(target=go_on, args=(each,)) for each in clients]
    before = sum(len(each.given) for each in clients)
    for thread in threads:
        thread.start()
    while sum(len(each.given) for each in clients) < before + few:
        time.sleep(0.001)
    os.kill(server.pid, signal.SIGKILL)
    for thread in threads:
        thread.join()
    server.wait()


def test_a_server_that_is_killed_again_and_again_loses_no_answer(tmp_path: Path) -> None:
    scenes = {f"s{number}": (1, 2) for number in range(40)}
    study = tiny_study(tmp_path / "study", scenes, per_scene=50, scenes_each=40)
    words = ["survey", "serve", str(study.folder), "--port", "0"]
    clients, rng = [Client("http://localhost", study) for _ in range(6)], np.random.default_rng(0)
    for _ in range(50):
        with subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1].rstrip("/")
            answered(clients, address, server, few=int(rng.integers(1, 60)))
        with opened_visits(study, time.time) as visits:
            assert visits.db.rows(tuple[str], "PRAGMA integrity_check") == [("ok",)]
            stored = {(e.person, e.scene, e.question): e.option for e in visits.answers.every()}
            for client in filter(lambda each: each.given, clients):
                person = visits.people.by_session(client.session)
                assert person is not None
                for (scene, key), choice in client.given.items():
                    assert stored[person.number, scene, key] == (choice,)
    assert all(option and len(set(option)) == len(option) for option in stored.values())
