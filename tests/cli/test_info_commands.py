import json
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from paseo.cli.main import main
from paseo.suite.runners.kernels import compile_kernels
from runs import suite


def schema(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["schema", *words]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("kind", ["suite", "robot"])
def test_the_schemas_are_schemas(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(capsys, kind))


def test_the_schema_of_suites_is_printed_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert schema(capsys) == schema(capsys, "suite")


def test_the_shipped_suites_and_a_users_own_follow_the_schema(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    validator = jsonschema.Draft202012Validator(schema(capsys))
    shipped = list((files("paseo.data") / "shipped" / "suites").iterdir())
    assert len(shipped) == 4
    for file in shipped:
        validator.validate(tomllib.loads(file.read_text()))
    validator.validate(json.loads(suite(tmp_path).read_text()))


@pytest.mark.parametrize(
    "change",
    [{"version": 2}, {"seeds": []}, {"seeds": [-1]}, {"name": "a b"}, {"oops": 1},
     {"rule": "nobody"}, {"settings": {"dt_s": 0}}, {"robot": {"radius_m": -1}},
     {"episodes": [{"name": "e"}]}],
)  # fmt: skip
def test_what_is_refused_does_not_follow_the_schema_either(
    change: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    suite_file = {"format": "paseo-suite", "version": 1, "name": "mine", **change}
    validator = jsonschema.Draft202012Validator(schema(capsys))
    assert not validator.is_valid(suite_file)


def test_the_doctor_says_what_is_there_and_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "eth.csv").write_text("frame,ped_id,x_m,y_m\n0,1,0,0\n")
    compile_kernels(lambda message: None)
    assert main(["doctor", "--data", str(tmp_path)]) == 0
    printed = capsys.readouterr()
    assert printed.err == "" and "()" not in printed.out, "every extra is for something"
    for fact in ("paseo     0.", "kernels   compiled", "numpy ", "extra     dev (",
                 f"data      {tmp_path}\n", f"eth: {tmp_path / 'eth.csv'}",
                 "hotel: missing; get it with"):  # fmt: skip
        assert fact in printed.out


def test_the_doctor_says_where_it_looked_in_vain(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PASEO_DATA", "/no/such/folder")
    assert main(["doctor"]) == 0
    assert "data      /no/such/folder (no such folder; set PASEO_DATA)" in capsys.readouterr().out
