"""Bounds on what is read of a provider's answer: so many bytes, in so many seconds altogether."""

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from time import monotonic
from typing import Any

LARGEST = 8 << 20  # bytes of an answer; a list of all models of a large provider has a tenth
# An answer that comes packed could grow without bounds while it is unpacked.
UNPACKED = {"Accept-Encoding": "identity"}


def event_hooks(
    longest_s: float, *, largest: int | None = None, clock: Callable[[], float] = monotonic
) -> dict[str, list[Callable[[Any], None]]]:
    """Event hooks for the HTTP client of an SDK; `longest_s` runs from the answer's headers on."""

    def bound(response: Any) -> None:
        # The library that the SDK speaks through: httpx, or httpx2, which is built alike.
        library = import_module(type(response).__module__.partition(".")[0])
        packed = response.headers.get("content-encoding", "identity").strip().lower()
        if packed not in ("", "identity"):
            raise library.DecodingError("it came packed, expected it as it is")
        until = clock() + longest_s
        response.stream = _bounded_stream(library)(
            response.stream, largest or LARGEST, lambda: clock() > until
        )

    return {"response": [bound]}


@cache
def _bounded_stream(library: Any) -> Any:
    class BoundedStream(library.SyncByteStream):  # type: ignore[misc]
        """The pieces of an answer, until there are too many or the time is up."""

        def __init__(self, pieces: Any, largest: int, late: Callable[[], bool]) -> None:
            self._pieces, self._largest, self._late = pieces, largest, late

        def __iter__(self) -> Iterator[bytes]:
            read = 0
            for piece in self._pieces:
                read += len(piece)
                if read > self._largest:
                    raise library.ReadError(f"it is larger than {self._largest >> 20} MiB")
                if self._late():
                    raise library.ReadTimeout("it came in pieces for too long")
                yield piece

        def close(self) -> None:
            self._pieces.close()

    return BoundedStream
