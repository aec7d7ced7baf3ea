"""A study of ratings: people watch clips of drives, rate them and hold two against each other."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from paseo.errors import BadFile
from paseo.survey.study.content import Media, Repeat, Wanted
from paseo.survey.study.ratings.asking import RATINGS, Asking, read_asking
from paseo.survey.study.ratings.clips import (
    CLIPS,
    FILMS,
    NAME,
    ShownClip,
    ShownClips,
    read_shown_clips,
)
from paseo.survey.study.ratings.places import Place, place_called, places_for
from paseo.survey.study.ratings.steps import ClipStep, steps_of
from paseo.survey.study.texts import TEXTS, RatingTexts, read_texts

FILM = re.compile(rf"/clips/({NAME})\.mp4")


@dataclass(frozen=True, kw_only=True, eq=False)
class AboutClips:
    """The clips of a study, what is asked about them, and all words of its pages."""

    folder: Path
    texts: RatingTexts
    asking: Asking
    origin: ShownClips

    @classmethod
    def read(cls, folder: Path) -> "AboutClips":
        """As the files of a study's folder say."""
        return cls(
            folder=folder,
            texts=read_texts(folder / TEXTS, RatingTexts),
            asking=read_asking(folder / RATINGS),
            origin=read_shown_clips(folder / CLIPS),
        )

    @cached_property
    def clips(self) -> Mapping[str, ShownClip]:
        """The clips by name, in order."""
        return {each.name: each for each in self.origin.clips}

    @property
    def files(self) -> Sequence[str]:
        """Words, questions, and the films themselves."""
        return (TEXTS, RATINGS, CLIPS, *(f"{FILMS}/{name}.mp4" for name in self.clips))

    @property
    def units(self) -> Sequence[str]:
        """The names of the clips."""
        return tuple(self.clips)

    def place(self, name: str) -> Place | None:
        """The place of that name; None where there is none."""
        return place_called(name, self.clips)

    def unit(self, place: str) -> str:
        """The clip that is rated; what is shown again counts for nothing."""
        found = self.place(place)
        return "" if found is None or found.again else found.clip

    def shown(self, place: str) -> Sequence[str]:
        """The clip, and the one that it is held against."""
        found = self.place(place)
        return () if found is None else found.pair or (found.clip,)

    def places_for(
        self, taken: Mapping[str, int], given: Sequence[str], *, wanted: Wanted, person: int
    ) -> tuple[str, ...]:
        """The clips that need people most, beside others, and some of them again."""
        found = places_for(self.clips, self.asking, taken, given, wanted=wanted, person=person)
        return tuple(each.name for each in found)

    def steps(
        self, places: Sequence[str], *, seed: int, person: int
    ) -> tuple[tuple[ClipStep, ...], ...]:
        """To rate a clip, then to compare it."""
        return steps_of([*map(self._known, places)], self.asking, seed=seed, person=person)

    def _known(self, name: str) -> Place:
        found = self.place(name)
        if found is None:
            raise BadFile(
                f"{self.folder}: somebody was given the place {name!r:.60}, which {CLIPS} does not "
                "have; restore that file from a copy"
            )
        return found

    def repeat(self, place: str, given: Collection[str]) -> Repeat | None:
        """The same clip before, or the same two, perhaps the other way round."""
        again = self.place(place)
        if again is None or not again.again:
            return None
        for name in given:
            first = self.place(name)
            if first is not None and not first.again and first.clip == again.clip:
                return Repeat(name, turned=again.pair is not None and again.pair != first.pair)
        return None

    def lasts(self, step: ClipStep) -> float:
        """The longest of the clips, which may play side by side."""
        shown = [self.clips[name] for name in step.clips]
        return max(each.to_s - each.from_s for each in shown) / self.origin.speed

    def media(self, path: str) -> Media | None:
        """The film of a clip."""
        found = FILM.fullmatch(path)
        if found is None or found[1] not in self.clips:
            return None
        return Media(found[1], self.folder / FILMS / f"{found[1]}.mp4", "video/mp4")
