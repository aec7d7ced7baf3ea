"""What people gave: stored at once, once, and deleted when they withdraw."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from paseo.errors import BadFile
from paseo.survey.server.visiting import Visits
from paseo.survey.store.answers import Answers, Given
from paseo.survey.store.database import Database
from paseo.survey.store.people import Identity, People, Person, Stage
from paseo.survey.study.folder import Study
from studies import Hand, opened_visits, tiny_study

SCENES = {f"s{number}": (1,) for number in range(12)}


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return tiny_study(tmp_path / "study", SCENES, per_scene=5, scenes_each=4, seed=2)


@pytest.fixture
def clock() -> Hand:
    return Hand()


@pytest.fixture
def visits(study: Study, clock: Hand) -> Iterator[Visits]:
    with opened_visits(study, clock) as opened:
        yield opened


def admitted(visits: Visits, session: str, identity: Identity | None = None) -> Person | None:
    now = visits.clock()
    return visits.people.admit(session, identity, now=now, assign=visits._assigned)


def given(choice: str = "yes", *, turn: int = 1, token: str = "page-one") -> Given:
    return Given(scene="s1", question="q", option=(choice,), on_page=2.5, token=token, turn=turn)


def newcomer(visits: Visits, session: str = "me") -> Person:
    person = admitted(visits, session)
    assert person is not None
    return person


def test_an_answer_is_there_for_whoever_opens_the_database_next(visits: Visits) -> None:
    person = newcomer(visits)
    assert visits.answers.add(person.number, [given()], now=5.0) == 1
    with closing(Database(visits.study.database)) as other:
        assert Answers(other).about(person.number, "s1") == {"q": ("yes",)}


def test_a_request_that_is_sent_twice_is_stored_once(visits: Visits) -> None:
    person = newcomer(visits)
    for _ in range(3):
        visits.answers.add(person.number, [given("yes", turn=1)], now=5.0)
    visits.answers.add(person.number, [given("no", turn=2)], now=6.0)
    visits.answers.add(person.number, [given("yes", turn=1)], now=7.0)
    stored = visits.answers.every()
    assert [(each.option, each.changes) for each in stored] == [(("no",), 1)]


@pytest.mark.parametrize("before", [[], [given("no", turn=1)]])
def test_a_request_that_comes_late_does_not_undo_what_was_sent_after_it(
    visits: Visits, before: list[Given]
) -> None:
    person = newcomer(visits)
    for each in (*before, given("no", turn=3), given("yes", turn=2)):
        visits.answers.add(person.number, [each], now=5.0)
    assert visits.answers.about(person.number, "s1") == {"q": ("no",)}


def test_a_page_without_the_script_may_change_its_answer(visits: Visits) -> None:
    person = newcomer(visits)
    for choice in ("yes", "yes", "no", "no"):
        visits.answers.add(person.number, [given(choice, turn=0)], now=5.0)
    assert [(e.option, e.changes) for e in visits.answers.every()] == [(("no",), 1)]


def test_two_tabs_that_store_the_same_answer_have_given_one(visits: Visits) -> None:
    person = newcomer(visits)
    assert visits.answers.add(person.number, [given(token="tab-one")], now=5.0) == 1
    assert visits.answers.add(person.number, [given(token="tab-two")], now=6.0) == 0
    assert [each.time_s for each in visits.answers.every()] == [5.0]


def test_somebody_who_agrees_twice_is_one_person(visits: Visits) -> None:
    first, second = newcomer(visits, "same"), newcomer(visits, "same")
    assert first == second
    by_id = admitted(visits, "laptop", Identity("pid", "s", "x"))
    again = admitted(visits, "phone", Identity("pid", "s", "x"))
    assert by_id == again
    assert visits.people.by_session("phone") == by_id
    assert len(visits.people.every()) == 2


def test_two_hundred_people_at_once_get_each_place_once(visits: Visits) -> None:
    def arrive(number: int) -> None:
        admitted(visits, f"session {number}")

    threads = [threading.Thread(target=arrive, args=(number,)) for number in range(200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    people = visits.people.every()
    places = [tuple(visits.people.scenes_of(each.number)) for each in people]
    assert len(people) == 12 * 5 // 4  # as few as fill every scene, the others found none
    assert all(len(set(mine)) == 4 for mine in places)
    assert Counter(scene for mine in places for scene in mine) == dict.fromkeys(SCENES, 5)


def test_places_that_somebody_left_are_given_again(visits: Visits, clock: Hand) -> None:
    people = [newcomer(visits, f"session {number}") for number in range(15)]
    assert admitted(visits, "too late") is None
    left, stays = people[0], people[1:]
    clock.now += visits.study.settings.place_limit - 1
    for person in stays:
        visits.people.seen(person.number, now=clock.now)
    assert admitted(visits, "still too late") is None
    clock.now += 2
    next_one = newcomer(visits, "in time")
    mine = visits.people.scenes_of(left.number)
    assert set(visits.people.scenes_of(next_one.number)) == set(mine)
    visits.answers.add(left.number, [given()], now=clock.now)  # who comes back goes on
    counts = visits.people.counts(SCENES, now=clock.now, limit=visits.study.settings.place_limit)
    assert all(counts[scene].taken == 6 for scene in mine)


def test_a_finished_scene_counts_though_its_person_left(visits: Visits, clock: Hand) -> None:
    person = newcomer(visits)
    done, *others = visits.people.scenes_of(person.number)
    visits.people.finish(person.number, done, now=clock.now)
    clock.now += 1e6
    counts = visits.people.counts(SCENES, now=clock.now, limit=60.0)
    assert counts[done].done == 1
    assert all(counts[scene].taken == 0 for scene in others)


@pytest.mark.parametrize("stage", [Stage.FAILED, Stage.SCREENED])
def test_who_does_not_count_leaves_their_places(visits: Visits, stage: Stage) -> None:
    person = newcomer(visits)
    visits.people.move(person.number, before=Stage.INSTRUCTIONS, after=stage, now=1001.0)
    counts = visits.people.counts(SCENES, now=1001.0, limit=1e9)
    assert all(each.taken == 0 for each in counts.values())


def test_who_withdraws_leaves_not_a_byte(visits: Visits) -> None:
    person = admitted(visits, "me", Identity("secret-pid-4711", "s", "x"))
    assert person is not None
    visits.answers.add(person.number, [given("a-rare-answer")], now=5.0)
    visits.answers.end(person.number, remark="my-own-remark", traits={"age": "a-rare-age"})
    visits.people.withdraw(person.number, now=6.0)
    assert visits.answers.every() == []
    assert visits.people.identities() == {}
    found = visits.people.by_session("me")
    assert found is not None and found.stage is Stage.WITHDRAWN
    files = visits.study.folder.glob("answers.sqlite*")
    content = b"".join(file.read_bytes() for file in files)
    for trace in (b"secret-pid", b"a-rare-answer", b"my-own-remark", b"a-rare-age"):
        assert trace not in content


def test_ids_stand_in_no_table_but_their_own(visits: Visits) -> None:
    person = admitted(visits, "me", Identity("pid-4711", "study-1", "session-1"))
    assert person is not None
    with closing(sqlite3.connect(visits.study.database)) as db:
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        holding = [
            t for t in tables if "pid-4711" in str(db.execute(f"SELECT * FROM {t}").fetchall())
        ]
    assert holding == ["identities"]


def test_the_secret_of_a_browser_is_not_stored(visits: Visits) -> None:
    newcomer(visits, "the-secret-of-a-browser")
    files = visits.study.folder.glob("answers.sqlite*")
    assert all(b"the-secret-of-a-browser" not in file.read_bytes() for file in files)


def test_only_its_owner_may_read_the_database(visits: Visits) -> None:
    newcomer(visits)
    files = list(visits.study.folder.glob("answers.sqlite*"))
    assert len(files) > 1
    assert all(file.stat().st_mode & 0o077 == 0 for file in files)


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    file = tmp_path / "answers.sqlite"
    file.write_text("no database, but long enough that one looks" * 40)
    with pytest.raises(BadFile, match=r"answers\.sqlite"):
        Database(file)


WRITER = """
import sys
from pathlib import Path
from paseo.survey.store.answers import Answers, Given
from paseo.survey.store.database import WAIT_S, Database
from paseo.survey.store.people import People
db = Database(Path(sys.argv[1]))
people, answers = People(db), Answers(db)
person = people.admit(sys.argv[2], None, now=0.0, assign=lambda _: ("a",))
for number in range(10**6):
    answers.add(person.number, [Given(scene="a", question=f"q{number}", option=("yes",),
        on_page=0.0, token=f"token-{number}")], now=float(number))
    print(number, flush=True)
"""


@pytest.mark.slow
def test_a_killed_server_loses_no_answer_that_was_stored(tmp_path: Path) -> None:
    file, rng = tmp_path / "answers.sqlite", np.random.default_rng(0)
    for trial in range(50):
        session = f"session {trial}"
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(file), session], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        wanted = int(rng.integers(1, 40))
        told = [int(next(writer.stdout)) for _ in range(wanted)]
        os.kill(writer.pid, signal.SIGKILL)
        told += [int(line) for line in writer.stdout if line.endswith("\n")]
        writer.wait()
        writer.stdout.close()
        with closing(Database(file)) as db:
            person = People(db).by_session(session)
            assert person is not None
            stored = Answers(db).about(person.number, "a")
            assert db.rows(tuple[str], "PRAGMA integrity_check") == [("ok",)]
        # One more may be stored whose writer was killed before it could tell.
        assert len(told) <= len(stored) <= len(told) + 1
        assert list(stored) == [f"q{number}" for number in range(len(stored))]


def test_who_reads_a_whole_study_keeps_nobody_waiting(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with closing(Database(path)) as reader, closing(Database(path)) as writer:
        with reader.snapshot():
            assert People(reader).every() == []
            # Who had to wait would be told, after WAIT_S, that the database is locked.
            admitted = People(writer).admit("s", None, now=1.0, assign=lambda _: ("a",))
            assert admitted is not None
            assert People(reader).every() == []
        assert People(reader).every() == [admitted]
        assert People(reader).places() == {1: {"a": None}}
