"""`paseo survey new | serve | status | screen | export | metrics`."""

import argparse
import shlex
from pathlib import Path

from paseo.cli.arguments import Commands, add_command, natural, positive
from paseo.cli.screen import bar, bars, output, say
from paseo.cli.vqa.rating_metrics import add_metrics_command
from paseo.cli.vqa.ratings import (
    add_rating_options,
    check_fitting,
    export_rating_study,
    new_rating_study,
)
from paseo.cli.vqa.screening import add_screen, say_left_out
from paseo.cli.vqa.study_status import add_status_command

MODULE = "vqa.survey"


def add_survey_commands(commands: Commands) -> None:
    """`paseo survey new | serve | status | screen | export | metrics`."""
    text = "ask people about scenes, or how robots drove, in a browser"
    survey = commands.add_parser("survey", help=text, description=text[0].upper() + text[1:] + ".")
    words: Commands = survey.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_new(words)
    _add_serve(words)
    add_status_command(words)
    add_screen(words)
    export = add_command(
        words,
        "export",
        "write people's answers as labels that `paseo score` reads, or as tables of ratings",
        MODULE,
        "export",
    )
    export.add_argument("study", type=Path, metavar="STUDY", help="the folder of a study")
    export.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder")
    export.add_argument(
        "--with-ids", action="store_true", help="also who people are and what they remarked"
    )
    export.add_argument(
        "--everybody", action="store_true", help="also who is screened out (see `survey screen`)"
    )
    add_metrics_command(words)


def _add_new(words: Commands) -> None:
    new = add_command(words, "new", "make a study of answers, or of ratings", MODULE, "new")
    new.add_argument("study", type=Path, metavar="STUDY", help="the folder to be made")
    about = new.add_mutually_exclusive_group(required=True)
    about.add_argument("--scenes", type=Path, metavar="DIR", help="scenes to be asked about")
    about.add_argument(
        "--runs", type=Path, nargs="+", metavar="RUN_DIR", help="runs whose drives are rated"
    )
    new.add_argument(
        "--per-scene",
        "--per-clip",
        type=positive,
        metavar="N",
        help="people for each scene or clip (default: 5)",
    )
    new.add_argument(
        "--scenes-each",
        "--clips-each",
        type=positive,
        metavar="N",
        help="for each person (default: 4 scenes, 8 clips)",
    )
    new.add_argument(
        "--questions",
        type=Path,
        metavar="FILE",
        help="questions of your own (.toml), or other words, laid out as SocialNav-SUB's "
        "survey_prompt.json (default: those a model gets)",
    )
    new.add_argument("--seed", type=natural, default=0, metavar="N", help="default: 0")
    add_rating_options(new)


def _add_serve(words: Commands) -> None:
    serve = add_command(words, "serve", "let people come to a study", MODULE, "serve")
    serve.add_argument("study", type=Path, metavar="STUDY", help="the folder of a study")
    serve.add_argument("--host", default="localhost", metavar="HOST", help="default: localhost")
    serve.add_argument("--port", type=natural, metavar="N", help="default: 8018")
    serve.add_argument(
        "--public-url",
        metavar="URL",
        help="the address of the HTTPS proxy by which people on other machines come",
    )


def new(options: argparse.Namespace) -> int:
    """Make a study and print its folder."""
    check_fitting(options)
    return _new_answers(options) if options.runs is None else new_rating_study(options)


def _new_answers(options: argparse.Namespace) -> int:
    from paseo.survey.study.creating import new_study

    with bars() as progress:
        made = new_study(
            options.study,
            options.scenes,
            per_scene=5 if options.per_scene is None else options.per_scene,
            scenes_each=4 if options.scenes_each is None else options.scenes_each,
            questions=options.questions,
            seed=options.seed,
            progress=progress,
        )
    for each in made.unreadable:
        say(f"left out {each.scene}: {each.reason}")
    mean = made.questions / made.scenes
    say(f"{made.scenes} scenes, {mean:.0f} questions about each on average")
    folder = shlex.quote(str(options.study))
    say(f"edit {folder}/study.toml and text.toml, then: paseo survey serve {folder}")
    output(options.study)
    return 0


def serve(options: argparse.Namespace) -> int:
    """Serve a study until Ctrl-C."""
    from paseo.survey.server.serving import PORT, serve_study

    def opened(link: str) -> None:
        output(f"people come to {link}")
        say("end with Ctrl-C; nothing that was answered is lost")

    with bars() as progress:
        serve_study(
            options.study,
            host=options.host,
            port=PORT if options.port is None else options.port,
            public_url=options.public_url,
            opened=opened,
            progress=progress,
        )
    return 0


def export(options: argparse.Namespace) -> int:
    """Write what people answered, and print the folder."""
    from paseo.survey.export.exporting import export_study
    from paseo.survey.study.folder import open_study
    from paseo.survey.study.settings import Kind

    if open_study(options.study).settings.kind is Kind.RATINGS:
        return export_rating_study(
            options.study, options.out, with_ids=options.with_ids, everybody=options.everybody
        )
    with bar("scene"):
        done = export_study(
            options.study, options.out, with_ids=options.with_ids, everybody=options.everybody
        )
    say(f"{done.people} people, {done.scenes} scenes")
    say_left_out(done)
    if done.lacking:
        say(f"{len(done.lacking)} scenes have no labels: nobody has finished them")
    say(f"hold models against them with: paseo score EXAM --labels {shlex.quote(str(options.out))}")
    output(options.out)
    return 0
