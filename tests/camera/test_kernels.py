"""How kernels are found: compiled once, told about, and missed with a sentence."""

import importlib
import sys

import pytest

from paseo.errors import MissingExtra


def test_without_warp_the_extra_to_install_is_told(monkeypatch: pytest.MonkeyPatch):
    for name in [each for each in sys.modules if each.startswith("paseo.camera.kernels")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "warp", None)
    with pytest.raises(MissingExtra, match=r"warp-lang, which draws .* pip install 'paseo\[camera"):
        importlib.import_module("paseo.camera.kernels")


@pytest.mark.extra("camera")
def test_only_those_who_must_wait_for_the_compiler_are_told(monkeypatch: pytest.MonkeyPatch):
    from paseo.camera.kernels import workers

    told: list[tuple[str, int, int]] = []
    workers.load("cpu", lambda *words: None)
    workers.load("cpu", lambda *words: told.append(words))
    assert told == []
    monkeypatch.setattr(workers, "_is_cached", lambda module: False)
    workers.load("cpu", lambda *words: told.append(words))
    assert told[0] == (workers.COMPILING, 0, 6) and told[-1] == (workers.COMPILING, 6, 6)


@pytest.mark.extra("camera")
def test_nothing_is_said_on_the_way(capfd: pytest.CaptureFixture[str]):
    from paseo.camera.renderer import SceneRenderer
    from puppets import yard

    assert SceneRenderer(yard()).device in ("cpu", "cuda:0")
    assert capfd.readouterr() == ("", "")
