"""Priorities files: weights and limits, checked."""

from pathlib import Path

import pytest

from paseo.data.suites.priorities_file import read_priorities
from paseo.errors import BadFile

HEAD = 'format = "paseo-priorities"\nversion = 1\n'


def test_weights_and_limits_are_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(HEAD + "[weights]\nsuccess = 3\n[limits]\njerk = { at_most = 2.0 }\n")
    found = read_priorities(file)
    assert found.weights == {"success": 3.0}
    assert (found.limits["jerk"].at_least, found.limits["jerk"].at_most) == (None, 2.0)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (HEAD, "weights: there are none; give at least one metric a weight"),
        (HEAD + "[weights]\nsuccess = -1\n", "weights[...]: expected `float` > 0.0"),
        (HEAD + "[weight]\nsuccess = 1\n", "unknown key 'weight'; did you mean 'weights'?"),
        ("[weights]\nsuccess = 1\n", "missing required field `format`"),
    ],
)
def test_wrong_files_are_named_with_key_and_expectation(
    text: str, sentence: str, tmp_path: Path
) -> None:
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(BadFile) as caught:
        read_priorities(tmp_path / "mine.toml")
    assert sentence in str(caught.value)
    assert "mine.toml" in str(caught.value)
