"""What `paseo survey` needs for studies of ratings: options, and what it says of them."""

import argparse
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paseo.cli.arguments import Parser, positive
from paseo.cli.screen import bars, output, say
from paseo.errors import InputError

ASPECTS = "comfort,legibility,politeness,competence"
# Options that only one kind of study has a use for, with what they are if nobody says so.
OF_SCENES: Mapping[str, Any] = {"questions": None}
OF_RATINGS: Mapping[str, Any] = {
    "ask": ASPECTS, "scale": 7, "pairs": "aspect", "must_choose": False, "again": 0.25,
    "context": "", "view": "topview", "speed": 1.0, "longest_s": 20.0, "episodes": None,
    "planner": None, "limit": None,
}  # fmt: skip


def add_rating_options(new: Parser) -> None:
    """What is rated, how, and by which clips."""
    ratings = new.add_argument_group("with --runs")
    ratings.add_argument(
        "--ask", metavar="ASPECT,...", help=f"what clips are rated by (default: {ASPECTS})"
    )
    ratings.add_argument(
        "--scale", type=int, metavar="N", help="points, such as 5 (default: 7; 0: pairs only)"
    )
    ratings.add_argument(
        "--pairs",
        choices=["aspect", "overall", "none"],
        help="hold each clip against another planner's by every aspect, once, or not "
        "(default: aspect)",
    )
    ratings.add_argument(
        "--must-choose",
        action="store_const",
        const=True,
        help="of a pair, nobody may say 'no difference'",
    )
    ratings.add_argument(
        "--again", type=float, metavar="SHARE", help="of clips shown twice (default: 0.25)"
    )
    ratings.add_argument(
        "--context", metavar="TEXT", help="a sentence shown beside every clip (default: none)"
    )
    ratings.add_argument(
        "--view", choices=["topview", "camera"], help="from above, or the robot's camera"
    )
    ratings.add_argument("--speed", type=float, metavar="X", help="default: 1, real time")
    ratings.add_argument(
        "--longest-s", type=float, metavar="S", help="of a clip; longer drives are cut to where "
        "robot and people meet (default: 20)"
    )  # fmt: skip
    ratings.add_argument("--episodes", metavar="NAME,...", help="only these (default: all)")
    ratings.add_argument("--planner", metavar="NAME,...", help="only these (default: all)")
    ratings.add_argument(
        "--limit", type=positive, metavar="N", help="as many episodes, by lot (default: all)"
    )


def check_fitting(options: argparse.Namespace) -> None:
    """Refuse options that are for the other kind of study."""
    names, needs = (OF_RATINGS, "runs") if options.runs is None else (OF_SCENES, "scenes")
    given = [name for name in names if getattr(options, name) is not None]
    if given:
        raise InputError(
            f"{given[0]} is for studies made from {needs}; omit it, or name {needs}",
            parameters=(given[0], needs),
        )


def new_rating_study(options: argparse.Namespace) -> int:
    """Make a study of ratings and print its folder."""
    from paseo.survey.filming.choosing import Wish
    from paseo.survey.filming.clipfilm import ClipOptions
    from paseo.survey.filming.making import new_ratings

    said = {name: getattr(options, name) for name in OF_RATINGS}
    known = {name: OF_RATINGS[name] if value is None else value for name, value in said.items()}
    numbers = {
        name: value
        for name, value in (("per_scene", options.per_scene), ("scenes_each", options.scenes_each))
        if value is not None
    }
    with bars() as progress:
        made = new_ratings(
            options.study,
            options.runs,
            _asking(known),
            wish=Wish(
                episodes=_names(known["episodes"]),
                planners=_names(known["planner"]),
                limit=known["limit"],
            ),
            clips=ClipOptions(
                view=known["view"], speed=known["speed"], longest_s=known["longest_s"]
            ),
            seed=options.seed,
            progress=progress,
            **numbers,
        )
    for each in made.left_out:
        say(f"left out {each}")
    say(
        f"{made.clips} clips of {made.episodes} episodes by {made.planners} planners; about "
        f"{made.minutes} minutes for each person"
    )
    folder = shlex.quote(str(options.study))
    say(f"edit {folder}/study.toml, ratings.toml and text.toml, then: paseo survey serve {folder}")
    output(options.study)
    return 0


def _asking(known: Mapping[str, Any]) -> Any:
    from paseo.survey.study.ratings.asking import aspects_called, new_asking

    return new_asking(
        aspects=aspects_called(_names(known["ask"])),
        points=known["scale"],
        pairs=known["pairs"],
        no_difference=not known["must_choose"],
        again=known["again"],
        context=known["context"],
    )


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",")) if text else ()


def export_rating_study(folder: Path, out: Path, *, with_ids: bool, everybody: bool) -> int:
    """Write what people said about clips, and print the folder."""
    from paseo.survey.export.ratings import export_ratings

    done = export_ratings(folder, out, with_ids=with_ids, everybody=everybody)
    said = f"{done.ratings} ratings of {done.clips} clips, {done.choices} choices"
    say(f"{done.people} people: {said}")
    if done.screened:
        say(f"{done.screened} people are screened out; their rows say that they do not count")
    output(out)
    return 0
