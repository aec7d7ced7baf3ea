"""Runs in which a model drives: stored, resumed, limited, and the same again."""

import json
import re
from pathlib import Path

import pytest

from model_servers import Act, Request, model_server
from paseo.cli.main import main
from paseo.deciding.decisions import decisions_file, read_decisions
from paseo.errors import CannotGoOn, InputError
from paseo.suite.rerunning import rerun
from paseo.suite.running import run
from paseo.suite.runs.imports import code_of_model
from paseo.suite.runs.planning import RunOptions
from paseo.vqa.exam.replies import stored_replies
from runs import records, suite

WORDS = "vlm:model=scripted/random,view=text,every_s=0.5"
SERIAL = RunOptions(runner="serial")


def notes(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in (folder / "decisions").iterdir()}


def test_decisions_and_replies_are_kept_beside_the_records(tmp_path: Path) -> None:
    done = run(suite(tmp_path), WORDS, out=tmp_path / "out", options=RunOptions(jobs=2))
    assert len(notes(done.folder)) == 3
    for each in done.results:
        file = decisions_file(done.folder / "records" / each.record)
        noted = list(read_decisions(file))
        assert len(noted) == 4
        assert {one.prompt_key for one in noted} <= {
            stored.key for stored in stored_replies(done.folder / "replies.sqlite")
        }
    again = rerun(done.folder / "records" / done.results[0].record)
    assert again.is_identical


def test_a_named_store_makes_another_run_the_same_for_nothing(tmp_path: Path) -> None:
    file, store = suite(tmp_path), tmp_path / "shared.sqlite"
    options = RunOptions(runner="serial", clock="charged")
    words = f"{WORDS},store={store}"
    first = run(file, words, out=tmp_path / "one", options=options)
    kept = len(stored_replies(store))
    second = run(file, words, out=tmp_path / "two", options=options)
    assert kept == len(stored_replies(store)) > 3
    assert records(first.folder) == records(second.folder)
    assert notes(first.folder) == notes(second.folder)
    assert not (first.folder / "replies.sqlite").exists()


@pytest.mark.extra("openai")
def test_a_spent_budget_ends_the_run_and_resume_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(request: Request) -> Act:
        letters = re.findall(r'"([A-Z])"', request.text)
        return Act(text=json.dumps({"answer": letters[0]}))

    with model_server(said) as server:
        for name, value in server.environment("openai").items():
            monkeypatch.setenv(name, value)
        file = suite(tmp_path)
        words = "vlm:model=openai/tiny-1,view=text,every_s=0.5"
        out = tmp_path / "out"
        with pytest.raises(CannotGoOn, match="another request would pass the limit"):
            run(file, words, out=out, options=RunOptions(runner="serial", max_tokens_total=600))
        asked = server.asked
        assert 0 < asked < 12
        run(out=out, resume=True, options=SERIAL)
        assert len(stored_replies(out / "replies.sqlite")) == server.asked
        assert not server.faults
        whole = records(out)
        other = run(file, words, out=tmp_path / "other", options=SERIAL)
        assert records(other.folder) == whole  # the budget decided nothing
        content = (out / "replies.sqlite").read_bytes() + b"".join(notes(out).values())
        assert server.environment("openai")["OPENAI_API_KEY"].encode() not in content


def test_a_price_that_nobody_knows_cannot_be_limited(tmp_path: Path) -> None:
    options = RunOptions(runner="serial", max_usd=1.0, limit=1)
    with pytest.raises(CannotGoOn, match="the price of this model is not known"):
        run(
            suite(tmp_path), "vlm:model=openai/nobody-knows,view=text", out=tmp_path / "out",
            options=options,
        )  # fmt: skip


def test_a_store_that_is_none_ends_the_run_and_no_episode(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("no database")
    words = f"{WORDS},store={tmp_path / 'store'}"
    with pytest.raises(CannotGoOn, match="expected the replies of an exam"):
        run(suite(tmp_path), words, out=tmp_path / "out", options=SERIAL)
    assert not (tmp_path / "out" / "results.jsonl").exists()


def test_a_wrong_model_is_told_before_anything_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = suite(tmp_path)
    assert main(["run", str(file), "--planner", "vlm:model=opnai/x"]) == 2
    assert "Did you mean 'openai'" in capsys.readouterr().err
    with pytest.raises(InputError, match="max_usd is -1"):
        RunOptions(max_usd=-1.0)


def test_a_model_in_a_file_is_imported_only_with_consent(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("class Mine: pass")
    (code,) = code_of_model("vlm", {"model": f"{file}:Mine/large"})
    assert (code.kind, code.reference) == ("model", f"{file}:Mine")
    assert code_of_model("paseo.deciding.planner:Vlm", {"model": f"{file}:Mine"}) == [code]
    assert code_of_model("vlm", {"model": "scripted/first"}) == []
    assert code_of_model("other.py:Other", {"model": f"{file}:Mine"}) == []
