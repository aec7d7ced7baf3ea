"""A web server on this machine that speaks the batch interfaces of OpenAI, Anthropic and Gemini.

What it is sent is held against the SDKs' own types, what it answers are dumps of them.
"""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import wire_formats
from model_servers import KEY, PLACES, VARIABLES, Act
from wire_formats import FORMATS

Answer = Callable[[str, dict[str, Any]], Act | None]  # None: it expires before it is asked
NAMES = {"openai": "custom_id", "anthropic": "custom_id", "gemini": "key"}
BODIES = {"openai": "body", "anthropic": "params", "gemini": "request"}


@dataclass
class Batch:
    """A batch as the server has it."""

    id: str
    tag: str
    requests: list[dict[str, Any]]
    polls: int = 0


@dataclass
class BatchServer:
    """A running server: what it was sent, and how it is to behave."""

    answer: Answer
    polls: int = 1  # looks at a batch until it is over
    ending: str = "completed"  # or expired, cancelled, failed
    created: Callable[[Batch], None] = lambda batch: None  # before the answer to a new batch
    mangled: Callable[[list[bytes]], list[bytes]] = lambda lines: lines
    raw: dict[str, bytes] = field(default_factory=dict)  # whole answers, by the path's end
    statuses: list[int] = field(default_factory=list)  # of the next answers, 200 for a true one
    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    batches: list[Batch] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)  # methods and paths
    lock: threading.Lock = field(default_factory=threading.Lock)

    def environment(self, protocol: str) -> dict[str, str]:
        key_name, url_name = VARIABLES[protocol]
        return {key_name: KEY, url_name: self.url + PLACES[protocol]}

    def add(self, protocol: str, tag: str, lines: list[dict[str, Any]]) -> Batch:
        for line in lines:
            if fault := wire_formats.fault(protocol, line[BODIES[protocol]]):
                self.faults.append(fault)
        id = f"batches/b{len(self.batches)}" if protocol == "gemini" else f"b{len(self.batches)}"
        self.batches.append(Batch(id, tag, lines))
        self.created(self.batches[-1])
        return self.batches[-1]

    def results(self, protocol: str, batch: Batch) -> list[bytes]:
        told = _TOLD[protocol]
        lines = []
        for each in batch.requests:
            act = self.answer(each[NAMES[protocol]], each[BODIES[protocol]])
            whole = FORMATS[protocol]
            body = json.loads(
                (whole.error(act) if act.status != 200 else whole.reply(act)) if act else "null"
            )
            lines.append(json.dumps(told(each[NAMES[protocol]], act, body)).encode())
        return self.mangled(lines)


def _openai_line(key: str, act: Act | None, body: Any) -> dict[str, Any]:
    error = None if act else {"code": "batch_expired", "message": "too late"}
    response = {"status_code": act.status, "request_id": "r", "body": body} if act else None
    return {"id": "batch_req_1", "custom_id": key, "response": response, "error": error}


def _anthropic_line(key: str, act: Act | None, body: Any) -> dict[str, Any]:
    from anthropic.types.messages import MessageBatchIndividualResponse

    result = {"type": "succeeded", "message": body}
    if act is None:
        result = {"type": "expired"}
    elif act.status != 200:
        result = {"type": "errored", "error": body}
    said = MessageBatchIndividualResponse.model_validate({"custom_id": key, "result": result})
    return json.loads(said.model_dump_json(exclude_unset=True))


def _gemini_line(key: str, act: Act | None, body: Any) -> dict[str, Any]:
    if act is None:
        return {"key": key, "error": {"code": 1, "message": "cancelled"}}
    if act.status != 200:
        return {"key": key, "error": {"code": 3, "message": act.message}}
    return {"key": key, "response": body | {"responseId": "news", "unheardOf": {"a": 1}}}


_TOLD = {"openai": _openai_line, "anthropic": _anthropic_line, "gemini": _gemini_line}


@contextmanager
def batch_server(answer: Answer | None = None, **options: Any) -> Iterator[BatchServer]:
    """Serve; at the end, fail if a request did not fit the SDKs' types."""
    state = BatchServer(answer or (lambda key, body: Act()), **options)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(state))
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield state
        assert not state.faults, state.faults
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(state: BatchServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._do(b"")

        def do_POST(self) -> None:
            self._do(self.rfile.read(int(self.headers["content-length"])))

        def _do(self, content: bytes) -> None:
            path = urlsplit(self.path).path
            protocol = wire_formats.format_of(self.headers)
            self.close_connection = True
            with state.lock, suppress(OSError):
                state.asked.append(f"{self.command} {path}")
                status = state.statuses.pop(0) if state.statuses else 200
                raw = next((raw for end, raw in state.raw.items() if path.endswith(end)), None)
                if status != 200:
                    return self._send(status, b'{"error": {"message": "away"}}')
                if raw is not None:
                    return self._send(200, raw)
                self._send(200, answers[protocol](self, path, content))

        def _send(self, status: int, body: bytes) -> None:
            self.send_response(status)
            if "upload_id" not in self.path and "/upload/" in self.path:
                self.send_header("X-Goog-Upload-URL", f"{state.url}{self.path}?upload_id=1")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Tests are quiet."""

    def batch(end: str) -> Batch:
        return next(each for each in state.batches if each.id.endswith(end))

    def over(found: Batch) -> bool:
        found.polls += 1
        return found.polls > state.polls

    def openai(handler: Any, path: str, content: bytes) -> bytes:
        if path == "/v1/files":
            form = b"Content-Type: " + handler.headers["content-type"].encode() + b"\r\n\r\n"
            parts = {
                part.get_param("name", header="content-disposition"): part.get_payload(decode=True)
                for part in BytesParser(policy=HTTP).parsebytes(form + content).iter_parts()
            }
            assert parts["purpose"] == b"batch"
            state.files[f"file-{len(state.files)}"] = parts["file"]
            return json.dumps({"id": f"file-{len(state.files) - 1}", "object": "file"}).encode()
        if path.endswith("/content"):
            found = batch(path.split("/")[-2].removeprefix("out-"))
            return b"\n".join(state.results("openai", found))
        if path == "/v1/batches" and content:
            said = json.loads(content)
            assert (said["endpoint"], said["completion_window"]) == ("/v1/chat/completions", "24h")
            lines = [json.loads(each) for each in state.files[said["input_file_id"]].splitlines()]
            assert all(each["url"] == said["endpoint"] for each in lines)
            return openai_batch(state.add("openai", said["metadata"]["paseo"], lines), False)
        if path == "/v1/batches":
            every = [json.loads(openai_batch(each, False)) for each in reversed(state.batches)]
            return json.dumps({"object": "list", "data": every, "has_more": False}).encode()
        found = batch(path.rpartition("/")[2])
        return openai_batch(found, over(found))

    def openai_batch(found: Batch, done: bool) -> bytes:
        from openai.types import Batch as Told

        errors = {"data": [{"message": "no room for so many tokens"}], "object": "list"}
        said = {
            "id": found.id,
            "completion_window": "24h",
            "created_at": 1,
            "endpoint": "/v1/chat/completions",
            "input_file_id": "file-0",
            "object": "batch",
            "status": state.ending if done else "in_progress",
            "metadata": {"paseo": found.tag},
            "output_file_id": f"out-{found.id}" if done and state.ending != "failed" else None,
            "errors": errors if state.ending == "failed" else None,
        }
        return Told.model_validate(said).model_dump_json().encode()

    def anthropic(handler: Any, path: str, content: bytes) -> bytes:
        if path.endswith("/results"):
            return b"\n".join(state.results("anthropic", batch(path.split("/")[-2]))) + b"\n"
        if content:
            return anthropic_batch(
                state.add("anthropic", "", json.loads(content)["requests"]), False
            )
        if path == "/v1/messages/batches":
            every = [json.loads(anthropic_batch(each, False)) for each in state.batches]
            return json.dumps({"data": every, "has_more": False, "last_id": None}).encode()
        found = batch(path.rpartition("/")[2])
        return anthropic_batch(found, over(found))

    def anthropic_batch(found: Batch, done: bool) -> bytes:
        from anthropic.types.messages import MessageBatch

        now = datetime.now(UTC).isoformat()
        kinds = ("processing", "succeeded", "errored", "canceled", "expired")
        counts = dict.fromkeys(kinds, 0) | {kinds[done]: len(found.requests)}
        said = {
            "id": found.id,
            "created_at": now,
            "expires_at": now,
            "processing_status": "ended" if done else "in_progress",
            "request_counts": counts,
            "type": "message_batch",
            "results_url": "http://elsewhere.invalid/results",
        }
        return MessageBatch.model_validate(said).model_dump_json().encode()

    def gemini(handler: Any, path: str, content: bytes) -> bytes:
        if "upload_id" in handler.path:
            assert handler.headers["X-Goog-Upload-Command"] == "upload, finalize"
            state.files[f"files/f{len(state.files)}"] = content
            return json.dumps({"file": {"name": f"files/f{len(state.files) - 1}"}}).encode()
        if path == "/upload/v1beta/files":
            return b""
        if path.endswith(":download"):
            id = path.split("/")[-1].removesuffix(":download").removeprefix("out-")
            return b"\n".join(state.results("gemini", batch(id)))
        if path.endswith(":batchGenerateContent"):
            said = json.loads(content)["batch"]
            file = state.files[said["inputConfig"]["fileName"]]
            lines = [json.loads(each) for each in file.splitlines()]
            return gemini_batch(state.add("gemini", said["displayName"], lines), False)
        if path == "/v1beta/batches":
            every = [json.loads(gemini_batch(each, False)) for each in state.batches]
            return json.dumps({"operations": every}).encode()
        found = batch(path.rpartition("/")[2])
        return gemini_batch(found, over(found))

    def gemini_batch(found: Batch, done: bool) -> bytes:
        words = {"completed": "SUCCEEDED", "expired": "EXPIRED", "failed": "FAILED"}
        word = words[state.ending] if done else "RUNNING"
        about = {"displayName": found.tag, "state": f"BATCH_STATE_{word}"}
        if done and word != "FAILED":
            about["output"] = {"responsesFile": f"files/out-{found.id.removeprefix('batches/')}"}
        return json.dumps({"name": found.id, "metadata": about, "done": done}).encode()

    answers = {"openai": openai, "anthropic": anthropic, "gemini": gemini}
    return Handler
