"""Gemini's batch interface: a file of requests, and a file of what came of them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paseo.vlm.batches import BatchLimits, BatchResult, BatchStatus
from paseo.vlm.failures import ModelError, TryAgain
from paseo.vlm.faults import token_count
from paseo.vlm.hosted import connection as hosted
from paseo.vlm.hosted.batching.wire import MOST_PAGES, Spoken, listed, named, result
from paseo.vlm.models import Prompt, Reply

URL = "https://generativelanguage.googleapis.com"
JSONL = "application/jsonl"
OVER = {"SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED"}
PASSING = {1, 4, 8, 10, 13, 14}  # codes: cancelled, too late, too many, aborted, broken, away
PAGE = 100


class GeminiBatches(Spoken):
    """Batches of generateContent; our tag is their display name.

    Requests go as a file: inline, a batch has room for twenty megabytes, a few pictures.
    """

    limits = BatchLimits(requests=50_000, content=500_000_000)

    def line(self, key: str, prompt: Prompt) -> bytes:
        """A request as one line."""
        return json.dumps({"key": key, "request": self._body(prompt)}).encode()

    def send(self, tag: str, lines: Path) -> str:
        """Upload the lines, then have them asked."""
        batch = {"displayName": tag, "inputConfig": {"fileName": self._uploaded(tag, lines)}}
        path = f"/v1beta/models/{self._wire.model}:batchGenerateContent"
        made = self._wire.json("POST", path, json={"batch": batch})
        return self._named(made.get("name"), "batches/")

    def find(self, tag: str, *, since_s: float, requests: int) -> list[str]:
        """The batch that is called by the tag."""
        with self._wire.told():
            after: dict[str, str] = {}
            for _ in range(MOST_PAGES):
                page = self._wire.json("GET", "/v1beta/batches", params={"pageSize": PAGE, **after})
                for each in listed(page.get("operations")):
                    if (each.get("metadata") or {}).get("displayName") == tag:
                        return [self._named(each.get("name"), "batches/")]
                if not (token := page.get("nextPageToken")):
                    return []
                after = {"pageToken": str(token)[:1000]}
            return []

    def status(self, id: str) -> BatchStatus:
        """How far a batch is."""
        with self._wire.told():
            said = self._wire.json("GET", f"/v1beta/{id}")
            about = said.get("metadata") or {}
            word, counts = str(about.get("state")).rpartition("STATE_")[2], about.get("batchStats")
            file = ((about.get("output") or said.get("response")) or {}).get("responsesFile")
            why, _ = hosted.words_of(said.get("error"))
            done = ("successfulRequestCount", "failedRequestCount")
            return BatchStatus(
                id=id,
                over=word in OVER or said.get("done") is True,
                ending=word.lower()[:40],
                done=sum(_count((counts or {}).get(name)) for name in done),
                problem=hosted.in_short(why or "no reason given", self._wire.account.key)
                if word == "FAILED"
                else "",
                files=(self._named(file, "files/"),) if file else (),
            )

    def results(self, status: BatchStatus) -> Iterator[BatchResult]:
        """What stands in the file of responses."""
        for file in status.files:
            path = f"/download/v1beta/{file}:download"
            for line in self._wire.lines(path, params={"alt": "media"}):
                yield result(line, self._wire, "key", self._said)

    def _uploaded(self, tag: str, lines: Path) -> str:
        """The name of a file at the provider's, sent by its protocol for large ones."""
        size = lines.stat().st_size
        headers, _ = self._wire.begin(
            "POST",
            f"{self._wire.url}/upload/v1beta/files",
            json={"file": {"displayName": tag, "mimeType": JSONL}},
            headers={
                "X-Goog-Upload-Protocol": "resumable",
                "X-Goog-Upload-Command": "start",
                "X-Goog-Upload-Header-Content-Length": str(size),
                "X-Goog-Upload-Header-Content-Type": JSONL,
            },
        )
        with lines.open("rb") as file:
            _, said = self._wire.begin(
                "POST",
                headers.get("x-goog-upload-url", ""),
                content=file,
                headers={
                    "Content-Length": str(size),
                    "X-Goog-Upload-Offset": "0",
                    "X-Goog-Upload-Command": "upload, finalize",
                },
            )
        return self._named((said.get("file") or {}).get("name"), "files/")

    def _said(self, said: dict[str, Any]) -> Reply:
        account = self._wire.account
        if isinstance(response := said.get("response"), dict):
            return self._read(response)
        message, _ = hosted.words_of(said.get("error"))
        words = f"({hosted.in_short(message, account.key) or 'no reason given'})"
        if (said.get("error") or {}).get("code") in PASSING:
            raise TryAgain(f"{account.place} failed {words}; this may pass")
        raise ModelError(f"{account.place} would not answer {words}")

    def _named(self, value: object, prefix: str) -> str:
        return named(value, self._wire.account, prefix)


def _count(said: object) -> int:
    """A number, which JSON of Google's has as a text."""
    return token_count(int(said[:12]) if isinstance(said, str) and said.isdecimal() else said)
