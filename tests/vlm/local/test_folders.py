"""Where local models come from: folders, the hub's cache, and a small hub on this machine."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from paseo.vlm.failures import ModelError, ModelRefusesKey, ModelUnknown
from paseo.vlm.local.folders import model_folder

COMMIT = 40 * "a"
FILES = {
    "config.json": b"{}",
    "model.safetensors": b"weights",
    "tokenizer.json": b"{}",
    "modeling.py": b"raise SystemExit",
    "pytorch_model.bin": b"a pickle",
}


class Hub(BaseHTTPRequestHandler):
    """Has one model, someone/small; someone/gated must be asked for; it knows no other."""

    asked: list[str]

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        self.asked.append(self.path)
        name = self.path.rpartition("/")[2]
        if "/gated" in self.path:
            self.reply(403, b"", {"X-Error-Code": "GatedRepo"})
        elif "/small" not in self.path:
            self.reply(404, b"", {"X-Error-Code": "RepoNotFound"})
        elif "/tree/" in self.path:
            files = [
                {"type": "file", "path": name, "size": len(content), "oid": name}
                for name, content in FILES.items()
            ]
            self.reply(200, json.dumps(files).encode(), {})
        elif self.path.startswith("/api/"):
            files = [{"rfilename": name} for name in FILES]
            about = {"id": "someone/small", "sha": COMMIT, "siblings": files}
            self.reply(200, json.dumps(about).encode(), {})
        else:
            self.reply(200, FILES[name], {"ETag": f'"{name}"', "X-Repo-Commit": COMMIT})

    def reply(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for key, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(key, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")  # nobody
    return tmp_path / "cache"


@pytest.fixture
def hub(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The requests that a hub gets."""
    handler = type("Handler", (Hub,), {"asked": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    address = f"http://127.0.0.1:{server.server_address[1]}"
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", address)
    template = address + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr("huggingface_hub.constants.HUGGINGFACE_CO_URL_TEMPLATE", template)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield handler.asked
    server.shutdown()
    server.server_close()


def write_model(folder: Path, *files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name in files or ("config.json", "model.safetensors"):
        (folder / name).write_bytes(FILES.get(name, b"{}"))
    return folder


def test_a_folder_is_taken_as_it_is(tmp_path: Path) -> None:
    assert model_folder(str(write_model(tmp_path / "mine"))) == tmp_path / "mine"


def test_weights_in_several_files_must_all_be_there(tmp_path: Path) -> None:
    folder = write_model(tmp_path, "config.json", "one.safetensors")
    index = {"weight_map": {"a": "one.safetensors", "b": "two.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises(ModelError, match="its weights are not there, or not all"):
        model_folder(str(folder))
    write_model(folder, "two.safetensors")
    assert model_folder(str(folder)) == folder
    (folder / "model.safetensors.index.json").write_text('{"weight_map": [7]}')
    with pytest.raises(ModelError, match="not all"):
        model_folder(str(folder))


def test_pickled_weights_are_not_read(tmp_path: Path) -> None:
    folder = write_model(tmp_path, "config.json", "pytorch_model.bin")
    with pytest.raises(ModelError, match=r"as files \*.safetensors; other kinds can hold code"):
        model_folder(str(folder))


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelUnknown, match="holds no model, for it has no config.json"):
        model_folder(str(tmp_path))


@pytest.mark.parametrize("name", ["nowhere", "./some/where", "/no/such", "a/b/c", "some/", "../x"])
def test_what_is_neither_a_folder_nor_a_name_is_told(name: str) -> None:
    with pytest.raises(ModelUnknown, match="there is no such folder; name one, or a model of"):
        model_folder(name)


@pytest.mark.extra("hub")
def test_a_model_is_fetched_once_without_code_or_pickles(hub: list[str], cache: Path) -> None:
    folder = model_folder("someone/small")
    assert folder == cache / "models--someone--small" / "snapshots" / COMMIT
    assert {each.name for each in folder.iterdir()} == {
        "config.json", "model.safetensors", "tokenizer.json",
    }  # fmt: skip
    before = len(hub)
    assert model_folder("someone/small") == folder and len(hub) == before


@pytest.mark.extra("hub")
def test_a_model_is_fetched_at_a_revision(hub: list[str]) -> None:
    assert model_folder("someone/small", revision="v1.2").name == COMMIT
    assert any("/revision/v1.2" in each for each in hub)


@pytest.mark.extra("hub")
def test_a_model_that_was_fetched_in_part_is_completed(hub: list[str]) -> None:
    weights = model_folder("someone/small") / "model.safetensors"
    weights.unlink()
    assert model_folder("someone/small") == weights.parent and weights.is_file()


@pytest.mark.extra("hub")
def test_the_hub_says_no(hub: list[str]) -> None:
    with pytest.raises(ModelUnknown, match="no such folder, and no such model on the hub"):
        model_folder("someone/none")
    with pytest.raises(ModelRefusesKey, match="agree to their terms .* then type hf auth login"):
        model_folder("someone/gated")


@pytest.mark.extra("hub")
def test_without_a_network_it_is_told_how_to_get_the_model(cache: Path) -> None:
    with pytest.raises(ModelError, match="type hf download someone/small where there is a network"):
        model_folder("someone/small")
