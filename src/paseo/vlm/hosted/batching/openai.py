"""OpenAI's batch interface: a file of requests, and files of what came of them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paseo.vlm.batches import BatchLimits, BatchResult, BatchStatus
from paseo.vlm.failures import TryAgain
from paseo.vlm.faults import token_count
from paseo.vlm.hosted import connection as hosted
from paseo.vlm.hosted.batching.wire import MOST_PAGES, Spoken, listed, named, result
from paseo.vlm.models import Prompt, Reply

URL = "https://api.openai.com/v1"
ENDPOINT = "/v1/chat/completions"
OVER = {"failed", "completed", "expired", "cancelled"}
UNASKED = {"batch_expired", "batch_cancelled"}  # codes of requests that were never put
PAGE = 100


class OpenAIBatches(Spoken):
    """Batches of chat completions; our tag stands in their metadata."""

    limits = BatchLimits(requests=50_000, content=200_000_000)

    def line(self, key: str, prompt: Prompt) -> bytes:
        """A request as one line."""
        body = {"model": self._wire.model, **self._body(prompt)}
        asked = {"custom_id": key, "method": "POST", "url": ENDPOINT, "body": body}
        return json.dumps(asked).encode()

    def send(self, tag: str, lines: Path) -> str:
        """Upload the lines, then have them asked."""
        with lines.open("rb") as file:
            uploaded = self._wire.json(
                "POST",
                "/files",
                data={"purpose": "batch"},
                files={"file": (f"{tag}.jsonl", file, "application/jsonl")},
            )
        wanted = {
            "input_file_id": self._named(uploaded.get("id")),
            "endpoint": ENDPOINT,
            "completion_window": "24h",
            "metadata": {"paseo": tag},
        }
        return self._named(self._wire.json("POST", "/batches", json=wanted).get("id"))

    def find(self, tag: str, *, since_s: float, requests: int) -> list[str]:
        """The batch whose metadata has the tag."""
        with self._wire.told():
            after: dict[str, str] = {}
            for _ in range(MOST_PAGES):
                page = self._wire.json("GET", "/batches", params={"limit": PAGE, **after})
                for each in listed(page.get("data")):
                    if (each.get("metadata") or {}).get("paseo") == tag:
                        return [self._named(each.get("id"))]
                if not (page.get("has_more") and page.get("data")):
                    return []
                after = {"after": self._named(page["data"][-1].get("id"))}
            return []

    def status(self, id: str) -> BatchStatus:
        """How far a batch is."""
        with self._wire.told():
            said = self._wire.json("GET", f"/batches/{id}")
            word, counts = str(said.get("status")), said.get("request_counts") or {}
            files = [said.get(name) for name in ("output_file_id", "error_file_id")]
            errors = listed((said.get("errors") or {}).get("data"))
            why = "; ".join(str(each.get("message")) for each in errors[:3])
            return BatchStatus(
                id=id,
                over=word in OVER,
                ending=word[:40],
                done=sum(token_count(counts.get(name)) for name in ("completed", "failed")),
                problem=hosted.in_short(why or "no reason given", self._wire.account.key)
                if word == "failed"
                else "",
                files=tuple(self._named(each) for each in files if each),
            )

    def results(self, status: BatchStatus) -> Iterator[BatchResult]:
        """What stands in the file of replies and in that of errors."""
        for file in status.files:
            for line in self._wire.lines(f"/files/{file}/content"):
                yield result(line, self._wire, "custom_id", self._said)

    def _said(self, said: dict[str, Any]) -> Reply:
        account, response = self._wire.account, said.get("response")
        if response is None:
            message, codes = hosted.words_of(said.get("error"))
            if codes & UNASKED:
                raise TryAgain(f"{account.place} ended the batch before it was asked")
            raise hosted.not_a_reply(account, message)
        status = token_count(response["status_code"])
        if status == 200:
            return self._read(response["body"])
        message, codes = hosted.words_of(response["body"])
        complaint = hosted.Complaint(status=status, message=message, codes=codes)
        raise hosted.failure(account, complaint, model=self._wire.model, known=list)

    def _named(self, value: object) -> str:
        return named(value, self._wire.account)
