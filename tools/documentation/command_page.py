"""The page of the command line, made from its parser so that it cannot drift."""

import argparse
import re
from collections.abc import Iterator

# One line that can be typed for every command; the tests parse them all.
EXAMPLES = {
    "paseo run": "paseo run paseo-33 --planner mppi,dwa:speed=0.8 --limit 6 --out runs/two",
    "paseo serve": "paseo serve socnavbench-33 --rule socnavbench --robot socnavbench",
    "paseo drive": "paseo drive mppi --connect localhost:8765",
    "paseo play": "paseo play paseo-33 --out runs/me --beside runs/two",
    "paseo list": "paseo list planners",
    "paseo log": "paseo log runs/two/records/against_eth_1--mppi--0.npz --csv steps.csv",
    "paseo rerun": "paseo rerun runs/two/records/against_eth_1--mppi--0.npz",
    "paseo measure": "paseo measure robot.csv --goal 9.5,4 --map plaza.yaml",
    "paseo compare": "paseo compare runs/two runs/mine --format latex",
    "paseo draw": "paseo draw runs/two --episode against_eth_1 --overlay --out film.mp4",
    "paseo render": "paseo render runs/two/records/against_eth_1--mppi--0.npz --time-s 6 "
    "--camera level --out moment",
    "paseo plot": "paseo plot runs/two --out plots",
    "paseo report": "paseo report runs/two --out two.html",
    "paseo data list": "paseo data list",
    "paseo data fetch": "paseo data fetch ethucy --accept-licence",
    "paseo data import": "paseo data import plaza.csv --fps 25 --name plaza --map plaza.yaml",
    "paseo data check": "paseo data check plaza.csv --fps 25",
    "paseo data sample": "paseo data sample plaza --count 20 --seed 1 --encounters 2 "
    "--out plaza20.toml",
    "paseo bag info": "paseo bag info drive.bag",
    "paseo bag tracks": "paseo bag tracks drive.bag --people mot=tracks.txt --out drive.npz",
    "paseo bag mend": "paseo bag mend drive.bag drive.npz --out mended.npz",
    "paseo crowd generate": "paseo crowd generate ETH --seed 1 --out crowd.csv",
    "paseo crowd realism": "paseo crowd realism crowd.csv --fps 10",
    "paseo scenes make": "paseo scenes make --from paseo-33 --count 60 --out scenes",
    "paseo scenes import": "paseo scenes import walk.mp4 tracks.json --out scenes",
    "paseo scenes cut": "paseo scenes cut 33_Spot.bag --tracks 33_Spot.npz --out scenes",
    "paseo scenes show": "paseo scenes show synthetic_0_mixed_228 --scenes scenes --out scene.png",
    "paseo scenes export": "paseo scenes export scenes --to inspect --out task",
    "paseo ask": "paseo ask openai/gpt-4o --scenes scenes --max-usd 5 --out exams/gpt-4o",
    "paseo exam show": "paseo exam show exams/gpt-4o exams/llava --out models.html",
    "paseo exam probes": "paseo exam probes exams/gpt-4o",
    "paseo score": "paseo score exams/gpt-4o --labels scenes",
    "paseo audit": "paseo audit runs/gpt-4o --jobs 2",
    "paseo loops": "paseo loops runs/gpt-4o runs/qwen --exam exams/gpt-4o exams/qwen --out plots",
    "paseo survey new": "paseo survey new study --scenes scenes --per-scene 5 --seed 1",
    "paseo survey serve": "paseo survey serve study --public-url https://study.example.org",
    "paseo survey status": "paseo survey status study exams/gpt-4o exams/llava --watch 60",
    "paseo survey screen": "paseo survey screen study --reasons reasons.csv",
    "paseo survey export": "paseo survey export study --out labels",
    "paseo survey metrics": "paseo survey metrics study --picture metrics.png",
    "paseo schema": "paseo schema robot",
    "paseo doctor": "paseo doctor",
}

# What the help leaves to the name of an argument.
PLAIN = {
    "RECORD": "the record of an episode (.npz)",
    "RUN_DIR": "finished run directories",
    "FILE": "a recording",
    "FILE|CROWD": "a recording, or a crowd by its name",
    "CROWD": "a crowd by its name",
    "FILE.html": "the page",
    "SUITE_FILE": ".toml, .yaml or .json",
    "DIR": "a folder",
}


def leaves(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Every command that does something, in the order of the help."""
    below = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    if not below:
        yield parser
    for action in below:
        for child in action.choices.values():
            yield from leaves(child)


def command_page(parser: argparse.ArgumentParser) -> str:
    """A table of all commands, then a section on each."""
    commands = list(leaves(parser))
    rows = [f"| [`{each.prog}`](#{_anchor(each)}) | {_sentence(each)} |" for each in commands]
    table = "\n".join(["| command | what it does |", "|---|---|", *rows])
    return "\n\n".join([table, *(_section(each) for each in commands)]) + "\n"


def _section(command: argparse.ArgumentParser) -> str:
    heading = f"## {command.prog} {{ #{_anchor(command)} }}"
    example = f"```sh\n{EXAMPLES[command.prog]}\n```"
    shown = [each for each in command._actions if not isinstance(each, argparse._HelpAction)]
    if not shown:
        return f"{heading}\n\n{_sentence(command)}.\n\n{example}"
    rows = [f"| {_spelled(each)} | {_told(each)} |" for each in shown]
    table = "\n".join(["| argument | what it is |", "|---|---|", *rows])
    return f"{heading}\n\n{_sentence(command)}.\n\n{example}\n\n{table}"


def _anchor(command: argparse.ArgumentParser) -> str:
    return command.prog.replace(" ", "-")


def _sentence(command: argparse.ArgumentParser) -> str:
    return (command.description or "").removesuffix(".")


def _spelled(action: argparse.Action) -> str:
    """An argument as one types it."""
    value = "" if action.nargs == 0 else _value(action)
    if not action.option_strings:
        return f"`{f'[{value}]' if action.nargs in ('?', '*') else value}`"
    return f"`{' '.join([*action.option_strings[-1:], value]).strip()}`"


def _value(action: argparse.Action) -> str:
    name = action.metavar
    if name is None:
        name = "WORD" if action.choices and action.option_strings else action.dest.upper()
    words = name if isinstance(name, str) else " ".join(name)
    return f"{words}..." if action.nargs in ("+", "*") else words


def _told(action: argparse.Action) -> str:
    """What the help says, and the choices and the default where it does not."""
    help_text = (action.help or PLAIN.get(str(action.metavar), "")) % {**vars(action), "prog": ""}
    parts = ["required"] if action.required and action.option_strings else []
    parts += [_marked(help_text)] if help_text else []
    if action.choices:
        parts.append("one of " + ", ".join(f"`{each}`" for each in action.choices))
    told = "default" in help_text or action.nargs == 0
    if action.default and isinstance(action.default, str | float) and not told:
        parts.append(f"default: {action.default}")
    return "; ".join(parts)


def _marked(words: str) -> str:
    """Help text as Markdown: options as code, and nothing taken for HTML."""
    coded = re.sub(r"(?<![\w`-])(--[a-z][a-z-]*)", r"`\1`", words)
    return coded.replace("<", "&lt;")
