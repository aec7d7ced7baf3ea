"""How kernels are found: compiled once, told about, and missed with a sentence."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

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
    monkeypatch.setattr(workers, "_is_cached", lambda device: False)
    workers.load("cpu", lambda *words: told.append(words))
    assert told == [(workers.COMPILING, 0, 0)], "a line, on terminals and elsewhere"


@pytest.mark.extra("camera")
def test_nothing_is_said_on_the_way(capfd: pytest.CaptureFixture[str]):
    from paseo.camera.renderer import SceneRenderer
    from puppets import yard

    assert SceneRenderer(yard()).device in ("cpu", "cuda:0")
    assert capfd.readouterr() == ("", "")


@pytest.mark.extra("camera")
def test_a_texture_shrinks_by_what_there_is_of_it():
    from paseo.camera.kernels.shelves import Paints

    texture = np.zeros((4, 2, 4), np.uint8)
    texture[:2] = [[(200, 10, 0, 255), (100, 30, 0, 255)], [(0, 0, 0, 0), (0, 0, 0, 0)]]
    material = Material(name="rag", surface=Surface.CLOTH, texture=texture, bump=texture[..., 0])
    paints = Paints("cpu")
    assert (paints.add([material]), paints.add([material, material])) == (0, 1)
    paint = paints.table()
    levels = [tuple(each) for each in paint.textures.numpy()[:4].tolist()]
    assert levels == [(0, 2, 4, 1), (8, 1, 2, 0), (0, 2, 4, 1), (8, 1, 2, 0)], "each once"
    texels, heights = paint.texels.numpy(), paint.heights.numpy()
    assert (texels[:8].reshape(4, 2, 4) == texture).all()
    assert texels[8].tolist() == [150, 20, 0, 128], "of colours that are there; half of it is"
    assert heights[:10].tolist() == [200, 100, 0, 0, 0, 0, 0, 0, 75, 0], "bumps are plain means"


@pytest.mark.extra("camera")
def test_tables_grow_and_keep_what_they_had():
    from paseo.camera.kernels.shelves import ROOM, Rows

    rows = Rows(int, "cpu")
    before = rows.array
    assert rows.add(np.arange(5, dtype=np.int32)) == 0
    assert rows.add(np.arange(3 * ROOM, dtype=np.int32)) == 5 and rows.count == 5 + 3 * ROOM
    assert rows.array.numpy()[: rows.count].tolist() == [*range(5), *range(3 * ROOM)]
    assert before.numpy()[:5].tolist() == list(range(5)), "who held it keeps it"


@pytest.mark.extra("camera")
def test_shares_of_the_work_are_whole_and_in_steps():
    from paseo.camera.kernels.workers import _shares

    assert list(_shares(100, 4, 16)) == [(0, 16), (16, 48), (48, 64), (64, 100)]
    assert list(_shares(5, 8, 16)) == [(0, 5)]
    assert list(_shares(0, 8, 1)) == []


@pytest.mark.extra("camera")
@pytest.mark.slow
def test_the_compiler_is_told_of_by_the_command_and_only_the_first_time(tmp_path: Path):
    environment = {**os.environ, "WARP_CACHE_PATH": str(tmp_path / "kernels")}
    command = [sys.executable, "-c", "from paseo.cli.main import main; raise SystemExit(main())"]
    for place, told in ((0, True), (1, False)):
        words = ["render", "past_queue_zara", "--time-s", "1", "--camera", "socnavbench"]
        done = subprocess.run(
            [*command, *words, "--out", str(tmp_path / str(place))],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert ("paseo: compiling the camera, which is done once" in done.stderr) == told


@pytest.mark.extra("camera")
@pytest.mark.slow
def test_all_kernels_compile_for_graphics_cards_where_none_is(tmp_path: Path):
    import warp as wp

    from paseo.camera.kernels import MODULE, workers

    wp.compile_aot_module(MODULE.name, arch=86, module_dir=tmp_path, use_ptx=True)
    (ptx,) = (file.read_text() for file in tmp_path.glob("*.ptx"))
    held = {kernel.key for kernel in MODULE.kernels.values()}
    assert held >= {"skin", "cover", "shade", "resolve", "throw", "occlude", "halve"}
    assert all(f"{name}_" in ptx for name in held) and workers.PARTS
    assert "min.s64" in ptx, "who is nearest is settled atomically"
