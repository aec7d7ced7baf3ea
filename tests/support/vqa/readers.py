"""What reads pictures in tests, loaded once: that takes longer than reading."""

from functools import cache

from paseo.vqa.baselines.reading.engines import Engine, engine


@cache
def reader(name: str = "rapidocr") -> Engine:
    return engine(name)
