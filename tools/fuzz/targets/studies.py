"""Studies: their settings, words, scenes and clips, and what people said in them."""

from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

from fuzz import oracles
from fuzz.target import Example, Target
from fuzz.targets.scenes import make_dataset

FILES = ("study/study.toml", "study/text.toml", "study/questions.toml", "study/scenes.json")


def make_study(folder: Path) -> None:
    """A study in which one person has answered everything and another a page."""
    from paseo.survey.server.visiting import Visits
    from paseo.survey.store.database import Database
    from paseo.survey.study.creating import new_study
    from paseo.survey.study.folder import open_study

    data = folder / "data"
    data.mkdir()
    make_dataset(data)
    new_study(folder / "study", data, scenes_each=1)
    study = open_study(folder / "study")
    with closing(Database(study.database)) as db:
        # Everybody takes their time: who is in a hurry is screened out.
        visits = Visits(study, db, clock=count(1.0e9, 12.0).__next__)
        for number, pages in enumerate((1000, 1)):
            _take_part(visits, f"session {number}", pages)


def _take_part(visits: Any, session: str, pages: int) -> None:
    from paseo.survey.store.people import Stage

    person = visits.people.admit(session, None, now=1.0e9, assign=visits._assigned)
    visits.people.move(person.number, before=Stage.INSTRUCTIONS, after=Stage.SCENES, now=1.0e9)
    for step in visits.steps(person)[0][:pages]:
        form = {
            "scene": [step.scene],
            "step": [str(step.number)],
            "token": [f"token-of-{step.number}"],
        }
        form |= {each.key: [each.kind.choices[0]] for each in step.questions}
        if step.check:
            form[step.check.key] = [step.check.choice]
        visits.next(visits.people.by_session(session), {**form, "go": ["next"]})
    last = visits.people.by_session(session)
    visits.end(last, {"trait_age": ["25 to 34"], "remark": ["fine"]})


def make_ratings(folder: Path) -> None:
    """A study of ratings in which one person has said everything and another a page."""
    import json

    from paseo.survey.server.visiting import Visits
    from paseo.survey.store.database import Database
    from paseo.survey.study.folder import open_study
    from paseo.survey.study.ratings.asking import asking_text, aspects_called, new_asking
    from paseo.survey.study.settings import Kind, new_settings, settings_text
    from paseo.survey.study.texts import RatingTexts, shipped_text

    place = folder / "study"
    (place / "clips").mkdir(parents=True)
    settings = new_settings(Kind.RATINGS, per_scene=5, scenes_each=2, seed=0)
    asking = new_asking(aspects=aspects_called(["comfort", "politeness"]))
    (place / "study.toml").write_text(settings_text(settings))
    (place / "text.toml").write_text(shipped_text(RatingTexts, view="topview"))
    (place / "ratings.toml").write_text(asking_text(asking))
    (place / "clips.json").write_text(json.dumps(_clips(), indent=1))
    (place / "secret.key").write_bytes(bytes(32))
    for each in _clips()["clips"]:
        (place / "clips" / f"{each['name']}.mp4").write_bytes(b"film")
    study = open_study(place)
    with closing(Database(study.database)) as db:
        visits = Visits(study, db, clock=lambda: 1.0e9)
        for number, pages in enumerate((1000, 1)):
            _rate(visits, f"session {number}", pages)


def _clips() -> dict[str, Any]:
    drives = [(episode, planner) for episode in ("one", "two") for planner in ("a", "b")]
    clips = [
        {
            "name": f"{number:016x}",
            "episode": episode,
            "planner": planner,
            "from_s": 0.0,
            "to_s": 9.5,
            "width_px": 640,
            "height_px": 480,
            "sha256": "0" * 64,
            "metrics": {"speed": 0.5 * number, "jerk": None},
        }
        for number, (episode, planner) in enumerate(drives)
    ]
    about = {"runs": ["run"], "view": "topview", "speed": 1.0, "made_by": "Paseo"}
    return {"format": "paseo-study-clips", "version": 1, **about, "clips": clips}


def _rate(visits: Any, session: str, pages: int) -> None:
    from paseo.survey.store.people import Stage

    person = visits.people.admit(session, None, now=1.0e9, assign=visits._assigned)
    visits.people.move(person.number, before=Stage.INSTRUCTIONS, after=Stage.SCENES, now=1.0e9)
    for step in [step for steps in visits.steps(person) for step in steps][:pages]:
        form = {"scene": [step.scene], "step": [str(step.number)], "token": ["token-of-a-page"]}
        form |= {key: [choices.known[0]] for key, choices in step.asked.items()}
        if step.check:
            form[step.check.key] = [step.check.choice]
        visits.next(visits.people.by_session(session), {**form, "go": ["next"]})
    visits.end(visits.people.by_session(session), {"trait_age": ["25 to 34"]})


STUDY = Example(name="study", make=make_study)
RATINGS = Example(name="ratings", make=make_ratings)
RATED = ("study/study.toml", "study/text.toml", "study/ratings.toml", "study/clips.json")
TARGETS = (
    Target(
        name="study: status",
        example=STUDY,
        damaged=("study/answers.sqlite", *FILES),
        command="survey status study",
        oracle=oracles.nothing_more,
        told="read to the end",
    ),
    Target(
        name="study: screen",
        example=STUDY,
        damaged=("study/answers.sqlite", "study/study.toml", "study/scenes.json"),
        command="survey screen study --csv OUT/table.csv --reasons OUT/reasons.csv --with-ids",
        oracle=oracles.nothing_more,
        told="read to the end",
    ),
    Target(
        name="study: export",
        example=STUDY,
        damaged=("study/answers.sqlite", *FILES),
        command="survey export study --out OUT/labels --with-ids",
        oracle=oracles.nothing_more,
        told="read to the end; labels are read again by tests of their own",
    ),
    Target(
        name="ratings: export",
        example=RATINGS,
        damaged=("study/answers.sqlite", *RATED),
        command="survey export study --out OUT/ratings --with-ids",
        oracle=oracles.nothing_more,
        told="read to the end; tables are read again by tests of their own",
    ),
)
