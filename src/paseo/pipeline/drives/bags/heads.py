"""The first bytes of messages: when a picture was taken, in which frame, how large it is.

So the pictures of an hour are looked through without copying any of them.
"""

import struct
from dataclasses import dataclass

from paseo.pipeline.drives.bags.bag import Broken, Topic, Wire
from paseo.pipeline.drives.bags.messages import RAW

PNG, JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8"
LONGEST_TEXT = 4096
SIZES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}  # markers of JPEG after which its size stands
ENOUGH = 1 << 16  # bytes of a picture in which its size is looked for


@dataclass(frozen=True, slots=True)
class Head:
    """What stands before the pixels of a picture."""

    stamp: int  # nanoseconds, of the camera's clock
    frame: str  # of the camera, as transforms name it
    size: tuple[int, int] | None  # width and height in pixels; None: not told there
    form: str  # JPEG, PNG or how raw pixels are laid out
    pixels: slice  # of the message
    step: int = 0  # bytes from row to row of raw pixels


class _Fields:
    """Fields of a message, one after the other."""

    def __init__(self, data: bytes | memoryview, wire: Wire) -> None:
        self._data, self._is_cdr = data, wire is Wire.CDR
        self._place = 4 if self._is_cdr else 0
        big = self._is_cdr and len(data) > 1 and not data[1] & 1
        self._number = struct.Struct(">I" if big else "<I")

    def number(self) -> int:
        place = -(-self._place // 4) * 4 if self._is_cdr else self._place
        self._place = place + 4
        if self._place > len(self._data):
            raise Broken("a message is cut off")
        value: int = self._number.unpack_from(self._data, place)[0]
        return value

    def text(self) -> str:
        length = self.number()
        begin, self._place = self._place, self._place + length
        if length > LONGEST_TEXT or self._place > len(self._data):
            raise Broken("a message is cut off")
        return bytes(self._data[begin : self._place]).rstrip(b"\0").decode("utf-8", "replace")

    def byte(self) -> None:
        self._place += 1

    def pixels(self, least: int = 0) -> slice:
        """Where the pixels are; a message that ends before they do is refused."""
        length = self.number()
        if length < least or self._place + length > len(self._data):
            raise Broken("a message is cut off")
        return slice(self._place, self._place + length)

    def rest(self, most: int) -> bytes:
        return bytes(self._data[self._place : self._place + most])


def head(topic: Topic, data: bytes | memoryview) -> Head:
    """What stands before the pixels of a picture, which is not packed; `Broken` if it is none."""
    fields = _Fields(data, topic.wire)
    if topic.wire is Wire.ROS1:
        fields.number()  # how many came before
    stamp = fields.number() * 10**9 + fields.number()
    frame = fields.text()
    if topic.type == RAW:
        height, width = fields.number(), fields.number()
        form = fields.text()
        fields.byte()  # the order of bytes, of which each colour has one
        step = fields.number()
        return Head(stamp, frame, (width, height), form, fields.pixels(step * height), step)
    fields.text()
    pixels = fields.pixels()
    begin = fields.rest(1024)
    if begin.startswith(PNG):
        return Head(stamp, frame, _png_size(begin), "PNG", pixels)
    if begin.startswith(JPEG):
        size = jpeg_size(begin) or jpeg_size(fields.rest(ENOUGH))
        return Head(stamp, frame, size, "JPEG", pixels)
    raise Broken("a picture is neither JPEG nor PNG")


def _png_size(begin: bytes) -> tuple[int, int] | None:
    if len(begin) < 24:
        return None
    width, height = struct.unpack_from(">II", begin, 16)
    return width, height


def jpeg_size(begin: bytes) -> tuple[int, int] | None:
    """Width and height by the first bytes of a JPEG; None if they stand further behind."""
    place = 2
    while place + 9 <= len(begin) and begin[place] == 0xFF:
        if begin[place + 1] in SIZES:
            height, width = struct.unpack_from(">HH", begin, place + 5)
            return width, height
        place += 2 + int.from_bytes(begin[place + 2 : place + 4], "big")
    return None
