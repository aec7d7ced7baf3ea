"""Sources of people by name: those that ship, those of other packages, those in a file."""

from collections.abc import Callable, Iterator

from paseo.errors import BadValue, PaseoError
from paseo.pipeline.drives.drive import Drive
from paseo.pipeline.locating.seen import PeopleSource, SeenFrame, once
from paseo.registry.registry import Registry, lacks, made
from paseo.text import error_words

PEOPLE_SOURCES: Registry[Callable[[str], PeopleSource]] = Registry(
    kind="source of people",
    group="paseo.people_sources",
    shipped={
        "coco": "paseo.pipeline.locating.sources.coco:Coco",
        "detector": "paseo.pipeline.locating.sources.detector:Detector",
        "mot": "paseo.pipeline.locating.sources.mot:Mot",
        "phalp": "paseo.pipeline.locating.sources.phalp:Phalp",
    },
    fault=lacks("frames"),
)


def make_source(reference: str) -> "GuardedSource":
    """A source as `NAME=WHAT`: a name, `file.py:Class` or `module:Class`, and what it is made from.

    That is a file for those that read results, and a model for the detector.
    """
    name, sign, what = reference.partition("=")
    if not sign or not what:
        known = ", ".join(PEOPLE_SOURCES.shipped)
        raise BadValue(
            f"people are given as '{reference:.80}', expected a source and what it reads, such as "
            f"mot=tracks.txt or detector=MODEL@REVISION; known: {known}",
            parameters=("people",),
        )
    kind = PEOPLE_SOURCES.find(name)
    source = made(f"source of people '{name}'", lambda: kind(what), told=(PaseoError,))
    return GuardedSource(source, name)


class GuardedSource:
    """Whatever a source does wrong is told as its fault, in a sentence.

    A tracker that has somebody twice in a frame is believed where it is surer; `twice` counts the
    boxes that were left out for that.
    """

    def __init__(self, source: PeopleSource, name: str) -> None:
        self.source, self.name = source, name
        self.twice = 0

    def frames(self, drive: Drive) -> Iterator[SeenFrame]:
        """Who is in each frame, in order, each person once."""
        last, self.twice = -1, 0
        try:
            for frame in self.source.frames(drive):
                if frame.number <= last:
                    raise PaseoError(
                        f"source of people '{self.name}': frame {frame.number} comes after frame "
                        f"{last}, expected frames in order; correct it"
                    )
                last, unique = frame.number, once(frame)
                self.twice += len(frame.people) - len(unique.people)
                yield unique
        except PaseoError:
            raise
        except Exception as error:
            raise PaseoError(
                f"source of people '{self.name}' failed ({error_words(error)}); correct it"
            ) from error
