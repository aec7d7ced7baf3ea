"""Anthropic's batch interface: all requests in one, and a file of what came of them."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from paseo.vlm.batches import BatchLimits, BatchResult, BatchStatus
from paseo.vlm.failures import TryAgain
from paseo.vlm.faults import token_count
from paseo.vlm.hosted import connection as hosted
from paseo.vlm.hosted.batching.wire import MOST_PAGES, Spoken, listed, named, result
from paseo.vlm.models import Prompt, Reply

URL = "https://api.anthropic.com"
PATH = "/v1/messages/batches"
HEADERS = {"anthropic-version": "2023-06-01"}
STATUSES = {"rate_limit_error": 429, "api_error": 500, "timeout_error": 504,
            "overloaded_error": 529}  # fmt: skip
SKEW_S = 600.0  # by which the provider's clock may differ from ours
PAGE = 100
BEGIN, END = b'{"requests":[', b"]}"


class AnthropicBatches(Spoken):
    """Batches of messages. They carry no tag: one that was lost is known by its size and time,
    and surely by its results."""

    limits = BatchLimits(requests=100_000, content=256_000_000)

    def line(self, key: str, prompt: Prompt) -> bytes:
        """A request as one line."""
        params = {"model": self._wire.model, **self._body(prompt)}
        return json.dumps({"custom_id": key, "params": params}).encode()

    def send(self, tag: str, lines: Path) -> str:
        """All lines in one request, never in memory as a whole."""
        size = len(BEGIN) + lines.stat().st_size - 1 + len(END)  # a comma for each end of a line
        headers = {"content-type": "application/json", "content-length": str(size)}
        made = self._wire.json("POST", PATH, content=_joined(lines), headers=headers)
        return named(made.get("id"), self._wire.account)

    def find(self, tag: str, *, since_s: float, requests: int) -> list[str]:
        """Batches of that many requests, begun since then."""
        with self._wire.told():
            found: list[str] = []
            after: dict[str, str] = {}
            for _ in range(MOST_PAGES):
                page = self._wire.json("GET", PATH, params={"limit": PAGE, **after})
                batches = listed(page.get("data"))
                recent = [each for each in batches if _time_s(each) >= since_s - SKEW_S]
                fitting = (each for each in recent if _total(each) == requests)
                found += [named(each.get("id"), self._wire.account) for each in fitting]
                if not recent or not page.get("has_more"):
                    break
                after = {"after_id": named(page.get("last_id"), self._wire.account)}
            return found

    def status(self, id: str) -> BatchStatus:
        """How far a batch is."""
        with self._wire.told():
            said = self._wire.json("GET", f"{PATH}/{id}")
            word, counts = str(said.get("processing_status")), said.get("request_counts") or {}
            return BatchStatus(
                id=id,
                over=word == "ended",
                ending="expired" if token_count(counts.get("expired")) else word[:40],
                done=_total(said) - token_count(counts.get("processing")),
                files=(f"{PATH}/{id}/results",),
            )

    def results(self, status: BatchStatus) -> Iterator[BatchResult]:
        """What stands in the file of results; its address is ours to make, not the server's."""
        for path in status.files:
            for line in self._wire.lines(path):
                yield result(line, self._wire, "custom_id", self._said)

    def _said(self, said: dict[str, Any]) -> Reply:
        account, outcome = self._wire.account, said["result"]
        kind = outcome["type"]
        if kind == "succeeded":
            return self._read(outcome["message"])
        if kind in ("expired", "canceled"):
            raise TryAgain(f"{account.place} ended the batch before it was asked")
        message, codes = hosted.words_of((outcome.get("error") or {}).get("error"))
        status = next((STATUSES[code] for code in codes if code in STATUSES), 400)
        complaint = hosted.Complaint(status=status, message=message, codes=codes)
        raise hosted.failure(account, complaint, model=self._wire.model, known=list)


def _joined(lines: Path) -> Iterator[bytes]:
    yield BEGIN
    with lines.open("rb") as file:
        for number, line in enumerate(file):
            yield (b"," if number else b"") + line.rstrip(b"\n")
    yield END


def _total(batch: dict[str, Any]) -> int:
    counts = batch.get("request_counts") or {}
    return sum(token_count(each) for each in counts.values())


def _time_s(batch: dict[str, Any]) -> float:
    try:
        return datetime.fromisoformat(str(batch.get("created_at"))).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0
