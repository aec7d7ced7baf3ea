"""A small Hugging Face hub on this machine: what huggingface_hub asks for, and how it fails."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

from paseo.data.store.hub import HubDataset

REPO, REVISION = "someone/Small-Set", "c0ffee" + 34 * "0"
RESOLVE = f"/datasets/{REPO}/resolve/{REVISION}/"
LISTING = f"/api/datasets/{REPO}/revision/{REVISION}"


def blob_id(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@dataclass
class Hub:
    """What is in the repository, what to do wrong, and what was asked.

    Files whose name ends in .png lie in LFS: the hub sends whoever asks for one to its store,
    which has another port, and the store serves it by its SHA-256.
    """

    files: dict[str, bytes]
    address: str = ""
    store: str = ""
    sha: str = REVISION  # as the listing tells it
    wrong: dict[str, bytes] = field(default_factory=dict)  # content served instead
    cut_after: dict[str, int] = field(default_factory=dict)  # bytes of the next GET, once
    answers: dict[str, list[int]] = field(default_factory=dict)  # statuses, one per request
    listing: list[dict[str, Any]] | None = None  # instead of the true one
    asked: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def dataset(self) -> HubDataset:
        return HubDataset(
            name="small-set",
            repo=REPO,
            revision=REVISION,
            files=len(self.files),
            bytes=sum(map(len, self.files.values())),
            licence="CC0",
            citation="Someone: A small set. 2025.",
        )

    def asked_for(self, words: str) -> list[str]:
        return [each for each in self.asked if words in each]

    def listed(self) -> list[dict[str, Any]]:
        return [self.entry(path) for path in self.files]

    def entry(self, path: str) -> dict[str, Any]:
        content = self.files[path]
        told = {"rfilename": path, "size": len(content), "blobId": blob_id(content)}
        if not path.endswith(".png"):
            return told
        lfs = {"sha256": sha256(content), "size": len(content), "pointerSize": 130}
        return {**told, "blobId": blob_id(b"the pointer"), "lfs": lfs}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def do_HEAD(self) -> None:
        self.answer()

    def do_GET(self) -> None:
        self.answer()

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def answer(self) -> None:
        path = unquote(urlsplit(self.path).path)
        words = f"{self.command} {path}"
        self.hub.asked.append(words)
        self.hub.headers.append({key.lower(): value for key, value in self.headers.items()})
        told = [key for key, statuses in self.hub.answers.items() if key in words and statuses]
        if told:
            self.reply(self.hub.answers[told[0]].pop(0), b'{"error": "as the test wants"}')
        elif path == LISTING:
            entries = self.hub.listed() if self.hub.listing is None else self.hub.listing
            body = {"id": REPO, "sha": self.hub.sha, "siblings": entries}
            self.reply(200, json.dumps(body).encode())
        else:
            self.answer_file(path)

    def answer_file(self, path: str) -> None:
        name = path.removeprefix(RESOLVE)
        by_digest = {f"/{sha256(content)}": name for name, content in self.hub.files.items()}
        if name not in self.hub.files and path not in by_digest:
            self.reply(404, b"", {"X-Error-Code": "EntryNotFound"})
        elif name.endswith(".png"):
            self.send_to_store(name)
        else:
            self.serve(by_digest.get(path, name))

    def send_to_store(self, name: str) -> None:
        content = self.hub.files[name]
        xet = {"X-Xet-Hash": sha256(content), "X-Xet-Refresh-Route": self.hub.address + "/xet"}
        told = {
            "Location": f"{self.hub.store}/{sha256(content)}",
            "X-Repo-Commit": REVISION,
            "X-Linked-Etag": f'"{sha256(content)}"',
            "X-Linked-Size": str(len(content)),
        }
        self.reply(302, b"", {**told, **(xet if "xet" in name else {})})

    def serve(self, name: str) -> None:
        content = self.hub.wrong.get(name, self.hub.files[name])
        etag = {"ETag": f'"{blob_id(self.hub.files[name])}"', "X-Repo-Commit": REVISION}
        wanted = self.headers.get("Range")
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
        if wanted:
            etag["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        cut = self.hub.cut_after.pop(name, None) if self.command == "GET" else None
        self.reply(206 if wanted else 200, content[start:], etag, cut=cut)

    def reply(
        self,
        status: int,
        body: bytes,
        headers: dict[str, str] | None = None,
        cut: int | None = None,
    ) -> None:
        self.send_response(status)
        for key, value in (headers or {}).items():
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body[:cut])
        if cut is not None:
            self.close_connection = True


@contextmanager
def served(files: dict[str, bytes]) -> Iterator[Hub]:
    """A hub and its store, each on a free port, until the block ends."""
    hub = Hub(files)
    handler = type("Handler", (_Handler,), {"hub": hub})
    servers = [ThreadingHTTPServer(("127.0.0.1", 0), handler) for _ in range(2)]
    hub.address, hub.store = (f"http://127.0.0.1:{each.server_address[1]}" for each in servers)
    for each in servers:
        threading.Thread(target=each.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield hub
    finally:
        for each in servers:
            each.shutdown()
            each.server_close()
