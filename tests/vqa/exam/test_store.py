"""The store: what is in it stays in it."""

import resource
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from exams import examiner, session
from paseo.errors import BadFile, InputError
from paseo.vlm.models import Reply, Token, Usage
from paseo.vqa.exam.replies import stored_replies
from paseo.vqa.exam.sessions import QuestionGraph, Request, key_maker
from paseo.vqa.exam.store import Asked, ReplyStore

KEY = key_maker("test/answering", {})
REPLY = Reply(
    text='{"answer": "ahead"}',
    latency_s=1.5,
    usage=Usage(input_tokens=7, output_tokens=3, cached_tokens=2),
    ending="stop",
    model="exact-1",
)


def requests(scene: str = "s1") -> list[Request]:
    graph = QuestionGraph(session(scene), repeat=0, together=1, examiner=examiner(), key=KEY)
    return graph.requests()


def outcome(request: Request, reply: Reply | str = REPLY) -> Asked:
    return Asked(request=request, reply=reply, attempts=2, time_s=100.0, cost_usd=0.25)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "replies.sqlite"


def test_a_stored_reply_comes_back_whole_from_a_reopened_store(path: Path) -> None:
    request = requests()[0]
    store = ReplyStore(path)
    assert store.reply(request) is None
    store.add([outcome(request)])
    store.close()
    again = ReplyStore(path)
    assert again.reply(request) == REPLY
    assert again.spent() == [(REPLY.usage, 0.25)]
    assert again.answered() == {"s1": 1}
    assert [each.reply for each in again.replies_about("s1")] == [REPLY]
    assert not again.replies_about("s2")
    (stored,) = stored_replies(path)
    assert (stored.key, stored.scene, stored.attempts) == (request.key, "s1", 2)
    assert stored.questions == ("q_robot_moving_direction",)


def test_a_reply_without_usage_comes_back_without(path: Path) -> None:
    request = requests()[0]
    store = ReplyStore(path)
    store.add([outcome(request, Reply(text=""))])
    assert store.reply(request) == Reply(text="")


def test_a_batch_is_stored_whole_or_not_at_all(path: Path) -> None:
    first, second, *_ = requests()
    store = ReplyStore(path)
    store.add([outcome(first)])
    with pytest.raises(Exception, match="UNIQUE"):
        store.add([outcome(second), outcome(first)])
    assert [each.key for each in stored_replies(path)] == [first.key]
    store.add([outcome(second)])
    assert len(stored_replies(path)) == 2


def test_a_failure_is_kept_until_a_reply_comes(path: Path) -> None:
    request = requests()[0]
    store = ReplyStore(path)
    store.add([outcome(request, "the server is down")])
    store.add([outcome(request, "it is still down")])
    assert store.reply(request) is None
    assert [each.problem for each in stored_replies(path)] == ["it is still down"]
    store.add([outcome(request)])
    assert [each.reply for each in stored_replies(path)] == [REPLY]


def test_half_characters_and_nulls_in_a_reply_do_no_harm(path: Path) -> None:
    request = requests()[0]
    store = ReplyStore(path)
    store.add([outcome(request, Reply(text="a\ud800b\0c"))])
    found = store.reply(request)
    assert found and found.text == "a?b\0c"


def test_replies_are_listed_in_an_order_that_does_not_depend_on_arrival(tmp_path: Path) -> None:
    every = requests("s1") + requests("s2")
    for name, order in (("a", every), ("b", every[::-1])):
        ReplyStore(tmp_path / name).add([outcome(request) for request in order])
    assert stored_replies(tmp_path / "a") == stored_replies(tmp_path / "b")


def test_another_prompt_in_the_place_of_an_answered_one_is_refused(path: Path) -> None:
    store = ReplyStore(path)
    store.add([outcome(requests()[0])])
    other = QuestionGraph(
        session("s1"), repeat=0, together=1, examiner=examiner(), key=key_maker("test/other", {})
    )
    with pytest.raises(InputError, match="s1/q_robot_moving_direction is not the one that was"):
        store.reply(other.requests()[0])


def test_a_reader_sees_a_running_exam(path: Path) -> None:
    store = ReplyStore(path)
    store.add([outcome(requests()[0])])
    assert len(stored_replies(path)) == 1
    store.add([outcome(requests()[1])])
    assert len(stored_replies(path)) == 2


@pytest.mark.parametrize("content", [b"not a database" * 100, b"SQLite format 3\0" + b"\xff" * 200])
def test_a_damaged_file_is_told_in_a_sentence(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    for read in (ReplyStore, stored_replies):
        with pytest.raises(BadFile, match=r"replies.sqlite: cannot be (opened|read) .*restore it"):
            read(path)


def test_a_foreign_database_is_told_in_a_sentence(path: Path) -> None:
    with sqlite3.connect(path) as foreign:
        foreign.execute("CREATE TABLE replies (a, b)")
    with pytest.raises(BadFile, match="cannot be read"):
        stored_replies(path)


@pytest.mark.parametrize("table", ["replies", "failures"])
def test_a_table_that_is_lost_is_told_and_not_made_anew(path: Path, table: str) -> None:
    ReplyStore(path).close()
    with sqlite3.connect(path) as damaged:
        damaged.execute(f"ALTER TABLE {table} RENAME TO gone")
    damaged.close()
    with pytest.raises(BadFile, match=rf"cannot be opened \(no table {table}\).* from a copy"):
        ReplyStore(path)


def test_values_of_the_wrong_kind_are_told_in_a_sentence(path: Path) -> None:
    ReplyStore(path).add([outcome(requests()[0])])
    with sqlite3.connect(path) as hostile:
        hostile.execute("UPDATE replies SET text = x'ff00', latency_s = 'long'")
    with pytest.raises(BadFile, match="cannot be read"):
        stored_replies(path)
    with pytest.raises(BadFile, match="cannot be read"):
        ReplyStore(path).reply(requests()[0])


def test_a_reply_about_nothing_at_all_is_told_in_a_sentence(path: Path) -> None:
    with sqlite3.connect(path) as hostile:
        hostile.execute("CREATE TABLE replies (variant, scene, questions, repeat)")
        hostile.execute("CREATE TABLE failures (key)")
        hostile.execute("INSERT INTO replies VALUES ('', 's1', NULL, 0)")
    with pytest.raises(BadFile, match=r"cannot be read \(Expected `str`, got `null`"):
        ReplyStore(path).answered()


def test_a_reply_to_no_question_is_told_in_a_sentence(path: Path) -> None:
    ReplyStore(path).add([outcome(requests()[0])])
    with sqlite3.connect(path) as hostile:
        hostile.execute("UPDATE replies SET questions = '[]'")
    for read in (stored_replies, lambda place: ReplyStore(place).answered()):
        with pytest.raises(BadFile, match=r"cannot be read .*length >= 1.*restore it"):
            read(path)


def test_a_schema_that_is_no_text_is_told_in_a_sentence(path: Path) -> None:
    store = ReplyStore(path)
    store.add([outcome(requests()[0])])
    store.close()
    content = path.read_bytes()
    assert content.count(b"failures (") == 1
    path.write_bytes(content.replace(b"CREATE TABLE failures (", b"CREATE \xff\xfeBLE failures ("))
    for read in (stored_replies, ReplyStore):
        with pytest.raises(BadFile, match=r"cannot be (read|opened) .*restore it"):
            read(path)


def test_a_store_of_an_older_paseo_is_read_and_gone_on_with(path: Path) -> None:
    with closing(ReplyStore(path)) as store:
        first, second = requests()[:2]
        store.add([outcome(first, Reply(text="old", thoughts="forgotten"))])
    with closing(sqlite3.connect(path)) as older:
        older.execute("ALTER TABLE replies DROP COLUMN tokens")
        older.execute("ALTER TABLE replies DROP COLUMN reasoning_tokens")
        older.execute("ALTER TABLE replies DROP COLUMN thoughts")
        older.execute("PRAGMA user_version = 1")
        older.commit()
    (stored,) = stored_replies(path)
    assert stored.reply and (stored.reply.text, stored.reply.thoughts) == ("old", "")
    with closing(ReplyStore(path)) as store:
        used = Usage(input_tokens=5, output_tokens=9, reasoning_tokens=4)
        store.add([outcome(second, Reply(text="new", thoughts="so", usage=used))])
        again = store.reply(second)
    assert again and (again.thoughts, again.usage) == ("so", used)
    assert {each.reply.thoughts for each in stored_replies(path) if each.reply} == {"", "so"}


def test_log_probabilities_are_kept_and_a_store_without_them_is_gone_on_with(path: Path) -> None:
    tokens = (Token(text="ye", chances=(("ye", -0.25), ("no", -1.5))), Token(text="s", chances=()))
    first, second = requests()[:2]
    with closing(ReplyStore(path)) as store:
        store.add([outcome(first, Reply(text="old"))])
    with closing(sqlite3.connect(path)) as older:
        older.execute("ALTER TABLE replies DROP COLUMN tokens")
        older.execute("PRAGMA user_version = 2")
        older.commit()
    (stored,) = stored_replies(path)
    assert stored.reply and stored.reply.tokens == ()
    with closing(ReplyStore(path)) as store:
        store.add([outcome(second, Reply(text="yes", tokens=tokens))])
        again = store.reply(second)
    assert again and again.tokens == tokens


def test_a_store_of_a_newer_paseo_is_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as newer:
        newer.execute("PRAGMA user_version = 99")
    with pytest.raises(BadFile, match="newer Paseo"):
        ReplyStore(path)


FILL = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_store import KEY, Reply, ReplyStore, examiner, outcome, requests, session
from paseo.errors import CannotWrite
store, stored = ReplyStore(Path(sys.argv[1])), 0
try:
    for k in range(1000):
        store.add([outcome(requests(f"s{k}")[0], Reply(text="x" * 5000))])
        stored += 1
except CannotWrite as error:
    print(stored, error)
"""


def test_a_full_disk_loses_nothing_that_was_stored_and_can_be_gone_on_with(path: Path) -> None:
    def small_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))

    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", FILL, str(path), str(here)],
        env={"PYTHONPATH": str(here.parents[1] / "support" / "vqa"), "PATH": ""},
        preexec_fn=small_disk,
        capture_output=True,
        text=True,
        check=True,
    )
    count, _, sentence = done.stdout.partition(" ")
    assert "all that was stored before is safe. Make space on the disk" in sentence
    assert int(count) > 10
    assert len(stored_replies(path)) == int(count)
    store = ReplyStore(path)
    store.add([outcome(requests("later")[0])])
    assert len(stored_replies(path)) == int(count) + 1


def test_a_disk_that_is_full_from_the_start_is_not_called_a_damaged_exam(path: Path) -> None:
    words = """
import resource, sys
from pathlib import Path
from paseo.errors import CannotWrite
from paseo.vqa.exam.store import ReplyStore
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
try:
    ReplyStore(Path(sys.argv[1]))
except CannotWrite as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", words, str(path)], capture_output=True, text=True, check=True
    )
    assert "make space on the disk, or choose another out" in done.stdout
    assert "restore it from a copy" not in done.stdout
