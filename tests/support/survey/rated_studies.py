"""Studies of ratings as small as can be, and people who rate."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from paseo.survey.server.visiting import Visits
from paseo.survey.store.people import Person, Stage
from paseo.survey.study.folder import KEY, Study, open_study
from paseo.survey.study.ratings.asking import RATINGS, asking_text, aspects_called, new_asking
from paseo.survey.study.ratings.clips import CLIPS, FILMS, ShownClips
from paseo.survey.study.ratings.steps import ClipStep
from paseo.survey.study.settings import SETTINGS, Kind, StudySettings, settings_text
from paseo.survey.study.texts import TEXTS, RatingTexts, shipped_text
from studies import Hand

PLANNERS = ("careful", "hasty", "lost")
Taste = Callable[[ClipStep, str], str]  # what somebody answers on a page to a key


def name_of(episode: str, planner: str) -> str:
    return hashlib.sha256(f"{episode} {planner}".encode()).hexdigest()[:16]


def shown_clips(episodes: int, planners: Sequence[str], **changes: Any) -> dict[str, Any]:
    """The content of clips.json."""
    clips = [
        {
            "name": name_of(f"episode {k}", planner),
            "episode": f"episode {k}",
            "planner": planner,
            "from_s": 0.0,
            "to_s": 2.0,
            "width_px": 160,
            "height_px": 120,
            "sha256": "0" * 64,
            "metrics": {"speed": 0.5 + k, "time_to_collision": None},
        }
        for k in range(episodes)
        for planner in planners
    ]
    about = {"runs": ["run"], "view": "topview", "speed": 1.0, "made_by": "hand"}
    return {"format": "paseo-study-clips", "version": 1, **about, "clips": clips, **changes}


def tiny_ratings(
    folder: Path,
    *,
    episodes: int = 2,
    planners: Sequence[str] = PLANNERS,
    ask: Sequence[str] = ("comfort", "politeness"),
    film: bytes = b"no film",
    asking: dict[str, Any] | None = None,
    **settings: Any,
) -> Study:
    """A study about drives of these planners."""
    (folder / FILMS).mkdir(parents=True)
    known = StudySettings(format="paseo-study", version=1, kind=Kind.RATINGS, **settings)
    asked = new_asking(aspects=aspects_called(ask), **(asking or {}))
    content = msgspec.convert(shown_clips(episodes, planners), ShownClips)
    (folder / SETTINGS).write_text(settings_text(known))
    (folder / TEXTS).write_text(shipped_text(RatingTexts, view="topview"))
    (folder / RATINGS).write_text(asking_text(asked))
    (folder / CLIPS).write_bytes(msgspec.json.encode(content))
    (folder / KEY).write_bytes(bytes(range(32)))
    for each in content.clips:
        (folder / FILMS / f"{each.name}.mp4").write_bytes(film)
    return open_study(folder)


def rate(
    visits: Visits,
    number: int,
    taste: Taste,
    *,
    attentive: bool = True,
    places: int = 99,
    seconds: float = 20.0,
) -> Person:
    """Somebody who goes through the pages, as the server has them, and says what they like."""
    session, now = f"session {number}", visits.clock()
    person = visits.people.admit(session, None, now=now, assign=visits._assigned)
    assert person is not None
    visits.people.move(person.number, before=Stage.INSTRUCTIONS, after=Stage.SCENES, now=now)
    for steps in visits.steps(person)[:places]:
        for step in steps:
            form = {
                "scene": [step.scene],
                "step": [str(step.number)],
                "token": [f"token-{number}-{step.scene}-{step.number}"],
                "on_page_s": [str(0.6 * seconds)],
                "go": ["next"],
            }
            assert isinstance(step, ClipStep)
            form |= {key: [taste(step, key)] for key in step.asked}
            if step.check:
                wrong = [each for each in step.check.choices if each != step.check.choice]
                form[step.check.key] = [step.check.choice if attentive else wrong[0]]
            if isinstance(visits.clock, Hand):
                visits.clock.now += seconds  # on the page
            visits.next(_now(visits, session), form)
    if _now(visits, session).stage is Stage.ENDING:
        visits.end(_now(visits, session), {"remark": ["fine"], "trait_age": ["25 to 34"]})
    return _now(visits, session)


def _now(visits: Visits, session: str) -> Person:
    found = visits.people.by_session(session)
    assert found is not None
    return found
