"""How kernels are found: compiled once, told about, and missed with a sentence."""

import importlib
import sys

import numpy as np
import pytest

from paseo.camera.meshes import Material, Surface
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
    assert told[0] == (workers.COMPILING, 0, 7) and told[-1] == (workers.COMPILING, 7, 7)


@pytest.mark.extra("camera")
def test_nothing_is_said_on_the_way(capfd: pytest.CaptureFixture[str]):
    from paseo.camera.renderer import SceneRenderer
    from puppets import yard

    assert SceneRenderer(yard()).device in ("cpu", "cuda:0")
    assert capfd.readouterr() == ("", "")


@pytest.mark.extra("camera")
def test_a_texture_shrinks_by_what_there_is_of_it():
    from paseo.camera.kernels.stock import paint_of

    texture = np.zeros((4, 2, 4), np.uint8)
    texture[:2] = [[(200, 10, 0, 255), (100, 30, 0, 255)], [(0, 0, 0, 0), (0, 0, 0, 0)]]
    material = Material(name="rag", surface=Surface.CLOTH, texture=texture, bump=texture[..., 0])
    paint = paint_of([material], "cpu")
    levels = paint.textures.numpy()
    assert [tuple(each) for each in levels] == [
        (0, 2, 4, 1),
        (8, 1, 2, 0),
        (10, 2, 4, 1),
        (18, 1, 2, 0),
    ]
    texels = paint.texels.numpy()
    assert (texels[:8].reshape(4, 2, 4) == texture).all()
    assert texels[8].tolist() == [150, 20, 0, 128], "of colours that are there; half of it is"
    assert texels[10].tolist() == [200] * 4, "bumps are grey"


@pytest.mark.extra("camera")
def test_shares_of_the_work_are_whole_and_in_steps():
    from paseo.camera.kernels.workers import _shares

    assert list(_shares(100, 4, 16)) == [(0, 16), (16, 48), (48, 64), (64, 100)]
    assert list(_shares(5, 8, 16)) == [(0, 5)]
    assert list(_shares(0, 8, 1)) == []
