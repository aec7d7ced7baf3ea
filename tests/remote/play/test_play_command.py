"""`paseo play` as it is typed."""

import json
import signal
import subprocess
import urllib.request
from pathlib import Path

import pytest
from websockets.sync.client import connect

from paseo.listening import Address, listener
from paseo.suite.rerunning import rerun
from runs import PASEO, refused, suite


@pytest.mark.slow
@pytest.mark.usefixtures("interruptible")
def test_it_prints_its_link_and_in_the_end_where_the_drives_are(tmp_path: Path) -> None:
    words = [str(suite(tmp_path)), "--port", "0", "--no-browser", "--out", "out", "--limit", "1"]
    with subprocess.Popen(
        [PASEO, "play", *words], stdout=-1, stderr=-1, text=True, cwd=tmp_path
    ) as server:
        assert server.stdout is not None
        link = server.stdout.readline().removeprefix("drive at ").strip()
        with urllib.request.urlopen(link) as page:
            assert b"<title>room \xc2\xb7 Paseo play</title>" in page.read()
        with connect(f"{link.replace('http', 'ws')}drive") as socket:
            socket.send(json.dumps({"type": "start"}))
            while json.loads(socket.recv(timeout=60))["type"] != "score":
                pass
        server.send_signal(signal.SIGINT)
        out, err = server.communicate(timeout=60)
    assert (server.returncode, out) == (0, f"{Path('out') / 'round-1'}\n")
    assert "1 drive; compare them with: paseo compare out/round-1" in err
    assert rerun(tmp_path / "out" / "round-1" / "records" / "one--person--0.npz").is_identical


@pytest.mark.usefixtures("interruptible")
def test_others_need_a_token_which_the_link_holds(tmp_path: Path) -> None:
    words = [str(suite(tmp_path)), "--host", "0.0.0.0", "--port", "0", "--no-browser"]
    with subprocess.Popen(
        [PASEO, "play", *words, "--out", "out"], stdout=-1, stderr=-1, text=True, cwd=tmp_path
    ) as server:
        assert server.stdout is not None
        link = server.stdout.readline().removeprefix("drive at ").strip()
        bare, _, token = link.partition("?token=")
        with urllib.request.urlopen(link) as page:
            assert page.status == 200
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(bare)
        server.send_signal(signal.SIGINT)
        _, err = server.communicate(timeout=60)
    assert len(token) >= 16
    assert token not in err


def test_a_port_in_use_an_unknown_episode_and_missing_data_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", tmp_path / "out", "--no-browser"]
    with listener(Address("localhost", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused(capsys, "play", "scripted-10", "--port", port, *out)
    assert said == (
        f"paseo: localhost:{port}: another program listens there, perhaps another paseo; stop it; "
        "choose another --port\n"
    )
    assert "no suite or episode is called 'scripted'" in refused(capsys, "play", "scripted", *out)
    missing = refused(capsys, "play", "socnavbench-33", "--data", tmp_path, *out)
    assert "paseo data fetch" in missing
    assert "from 0 to 65535" in refused(capsys, "play", "scripted-10", "--port", "70000", *out)
    assert "token must be" in refused(capsys, "play", "scripted-10", "--token", "me", *out)
    (tmp_path / "file").write_text("")
    wrong = refused(capsys, "play", "scripted-10", "--out", tmp_path / "file", code=1)
    assert "choose another --out" in wrong
