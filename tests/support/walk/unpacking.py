"""What a web page unpacks, unpacked by other means."""

import base64

import numpy as np

from paseo.world.arrays import FloatArray


class Unpacked:
    """Numbers from text, one after the other."""

    def __init__(self, text: str) -> None:
        self._content = list(base64.b64decode(text))

    @property
    def at_end(self) -> bool:
        return not self._content

    def next(self) -> int:
        bits = ""
        while True:
            byte = self._content.pop(0)
            bits = f"{byte & 0x7F:07b}{bits}"
            if byte < 0x80:
                break
        number = int(bits, 2)
        return -(number // 2) - 1 if number % 2 else number // 2

    def curve(self, count: int) -> FloatArray:
        bends = [self.next() for _ in range(count)]
        return np.cumsum(np.cumsum(bends)) / 100
