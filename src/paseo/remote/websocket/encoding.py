"""Messages as bytes: JSON or MessagePack, as the client chooses by the subprotocol."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Generic, TypeVar

import msgspec

from paseo.remote.websocket.messages import VERSION, Said, Told

Heard = TypeVar("Heard")


class Encoding(StrEnum):
    """How messages are written."""

    JSON = "json"
    MSGPACK = "msgpack"

    @property
    def subprotocol(self) -> str:
        """By which a client chooses it."""
        return f"paseo.v{VERSION}.{self}"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Bytes that are no message, and what is wrong with them."""

    fault: str


@dataclass(frozen=True, slots=True)
class Codec(Generic[Heard]):
    """Writes any message, and reads those that the other side may send."""

    encoding: Encoding
    writer: msgspec.json.Encoder | msgspec.msgpack.Encoder
    reader: "msgspec.json.Decoder[Heard] | msgspec.msgpack.Decoder[Heard]"

    @property
    def is_text(self) -> bool:
        """Whether messages go in frames of text."""
        return self.encoding is Encoding.JSON

    def written(self, message: object) -> bytes:
        """The message as bytes."""
        return self.writer.encode(message)

    def read(self, content: bytes) -> Heard | Unreadable:
        """The message that the bytes are."""
        try:
            return self.reader.decode(content)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            return Unreadable(f"{_excerpt(content)} is no message: {error}")


class _Greeting(msgspec.Struct):
    version: int


@cache
def server_codec(encoding: Encoding) -> Codec[Said]:
    """For who hears clients."""
    if encoding is Encoding.JSON:
        return Codec(encoding, msgspec.json.Encoder(), msgspec.json.Decoder(Said))
    return Codec(encoding, msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(Said))


@cache
def client_codec(encoding: Encoding) -> Codec[Told]:
    """For who hears the server."""
    if encoding is Encoding.JSON:
        return Codec(encoding, msgspec.json.Encoder(), msgspec.json.Decoder(Told))
    return Codec(encoding, msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(Told))


def declared_version(content: bytes, encoding: Encoding) -> int | None:
    """The version that a first message declares, whatever else it holds; None: none."""
    read = msgspec.json.decode if encoding is Encoding.JSON else msgspec.msgpack.decode
    try:
        return read(content, type=_Greeting).version
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def _excerpt(content: bytes) -> str:
    if b"token" in content.lower():  # which is never told to anybody
        return f"what was sent, {len(content)} bytes with a token,"
    return f"{content[:60]!r}{'...' * (len(content) > 60)}"
