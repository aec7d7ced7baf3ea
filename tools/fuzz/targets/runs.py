"""Records, suites, robots, priorities and run folders."""

import json
import math
from pathlib import Path
from typing import Any

from fuzz import oracles
from fuzz.target import Example, Lost, Target

ROOM = "0 0\n10 0\n10 8\n0 8\n\n4 3\n5 3\n5 5\n4 5\n"
ROBOT = """\
format = "paseo-robot"
version = 1
name = "cart"
radius_m = 0.3
max_speed_mps = 1.0
max_reverse_speed_mps = 0.2
max_turn_radps = 1.5
max_acceleration_mps2 = 2.0
sensor_height_m = 0.5
wall_radius_m = 0.25
"""
PRIORITIES = """\
format = "paseo-priorities"
version = 1

[weights]
success = 3.0
time_to_goal = 1.0

[limits]
person_collisions = { at_most = 2.0 }
success = { at_least = 0.1 }
"""


def suite_content() -> dict[str, Any]:
    """A suite of two short episodes with everything a suite may say."""
    walkers = [
        {"id": 8, "path": [[0.0, 6.0, 1.0], [2.0, 6.0, 7.0]]},
        {"id": 9, "path": [[0.0, 8.0, 6.0], [0.5, 8.0, 5.0], [2.0, 7.0, 2.0]]},
    ]
    episodes = [
        {
            "name": name,
            "map": "room.txt",
            "start": {"x_m": 1.0, "y_m": 1.5, "heading_rad": 0.1},
            "goal": {"x_m": 2.5, "y_m": y},
            "time_limit_s": 2.0,
            "people": walkers,
            "recordings": [{"recording": "people.csv", "fps": 10.0, "first_frame": 2}],
            "note": "to be damaged",
        }
        for name, y in (("along", 1.5), ("across", 6.0))
    ]
    return {
        "format": "paseo-suite",
        "version": 1,
        "name": "room",
        "description": "a room",
        "episodes": episodes,
        "planners": ["straight"],
        "seeds": [0, 3],
        "control": "velocity",
        "rule": "everyone",
        "robot": {"name": "cart", "radius_m": 0.3},
        "settings": {
            "dt_s": 0.1,
            "person_radius_m": 0.25,
            "goal_radius_m": 0.4,
            "gait": "recorded",
            "pause": {"duration_s": 0.5, "cooldown_s": 0.5},
            "sensor": {
                "range_m": 6.0,
                "occlusion": True,
                "position_noise_m": 0.01,
                "miss_rate": 0.1,
            },
            "hang_limit_s": 30.0,
        },
    }


def people_csv() -> str:
    """A recording of three people who walk."""
    rows = [
        f"{frame},{person},{1 + 0.12 * frame:.3f},{2 * person + 0.3 * math.sin(frame / 4):.3f}"
        for frame in range(0, 40, 2)
        for person in (1, 2, 3)
    ]
    return "frame,ped_id,x_m,y_m\n" + "\n".join(rows) + "\n"


def make_suite(folder: Path) -> None:
    """The suite in three spellings, with all files that it names."""
    import tomli_w
    import yaml

    content = suite_content()
    (folder / "room.txt").write_text(ROOM)
    (folder / "people.csv").write_text(people_csv())
    (folder / "robot.toml").write_text(ROBOT)
    (folder / "suite.json").write_text(json.dumps(content, indent=1))
    (folder / "suite.toml").write_text(tomli_w.dumps(content))
    (folder / "suite.yaml").write_text(yaml.safe_dump(content, sort_keys=False))


def make_run(folder: Path) -> None:
    """A finished run of two planners, and one of its records."""
    import os

    from paseo import RunOptions, run

    make_suite(folder)
    (folder / "priorities.toml").write_text(PRIORITIES)
    before = Path.cwd()
    os.chdir(folder)  # so that nothing in it names where it was made
    try:
        run(
            "suite.toml",
            "straight,stop",
            out=Path("run"),
            options=RunOptions(runner="serial", data=Path("data"), seed=3),
        )
        run(
            "suite.toml",
            "stop",
            out=Path("timed"),
            options=RunOptions(runner="serial", data=Path("data"), limit=1, clock="charged"),
        )
    finally:
        os.chdir(before)
    (folder / "record.npz").write_bytes(
        next(folder.glob("run/records/along--str*.npz")).read_bytes()
    )


def make_driven(folder: Path) -> None:
    """A finished run in which a model drove, with its decisions."""
    from paseo import RunOptions, run

    make_suite(folder)
    model = "vlm:model=scripted/blind-sides,view=text,think=questions,every_s=0.5"
    options = RunOptions(runner="serial", data=folder / "data", limit=1)
    run(folder / "suite.toml", model, out=folder / "run", options=options)


RUN = Example(name="run", make=make_run)
SUITE = Example(name="suite", make=make_suite)


def _run_folder(here: Path, aside: Path) -> None:
    """Plan and results, written again and read again."""
    from paseo.suite.runs.jobs import jobs_of
    from paseo.suite.runs.rundir import RunDirectory, same

    run = RunDirectory(here / "run")
    plan = run.plan()
    results = run.finished(jobs_of(plan))
    with RunDirectory(aside / "run") as copy:
        copy.create(plan)
        for result in results.values():
            record = (run.records / result.record).read_bytes()
            copy.add(result, record=record, timing=b"{}")
        if not same(copy.plan(), plan):
            raise Lost("the plan is another when written and read again")
        oracles.same(results, copy.finished(jobs_of(plan)), "results")
        told, again = (json.loads(each.file.read_bytes()) for each in (run, copy))
        if told["plan"].get("data"):
            told["plan"]["data"] = str(Path(told["plan"]["data"]))  # a/ is the folder a
        oracles.kept(told, again, run.file.name)


def _decisions(here: Path, aside: Path) -> None:
    """The decisions as they are noted, read again."""
    from paseo.deciding.decisions import decision_line, read_decisions

    for file in (here / "run" / "decisions").iterdir():
        first = list(read_decisions(file))
        (aside / file.name).write_bytes(b"".join(map(decision_line, first)))
        oracles.same(first, list(read_decisions(aside / file.name)), "decisions")


def _robot_log(here: Path, aside: Path) -> None:
    """The log as a record, written and read again, measures the same."""
    from paseo.data.recordings.robot_log import read_robot_log
    from paseo.world.motion import Pose
    from paseo.world.recordfile import record_bytes, record_from

    first = record_bytes(read_robot_log(here / "log.csv", goal=Pose(4.0, 1.0)))
    if record_bytes(record_from(first, "log")) != first:
        raise Lost("the log is another record when written and read again")


def make_log(folder: Path) -> None:
    """The log of a robot and two people."""
    lines = ["time_s,agent,x_m,y_m,heading_rad,radius_m"]
    for step in range(40):
        time = step / 10
        lines.append(f"{time:.1f},robot,{time:.3f},1.0,0.0,0.3")
        lines.append(f"{time:.1f},1,{4 - time:.3f},1.4,,0.2")
        if step % 2:
            lines.append(f"{time:.1f},12,2.0,{3 - time / 2:.3f},-1.57,0.25")
    (folder / "log.csv").write_text("\n".join(lines) + "\n")


def _priorities(path: Path) -> Any:
    from paseo.data.suites.priorities_file import read_priorities

    return read_priorities(path)


def _of_record(name: str, command: str, codes: tuple[int, ...] = (0,)) -> Target:
    return Target(
        name=f"record: {name}",
        example=RUN,
        damaged=("record.npz",),
        command=command,
        codes=codes,
        oracle=oracles.record("record.npz"),
        told="written and read again, the bytes are the same and say what the file said",
    )


def _of_suite(suffix: str) -> Target:
    return Target(
        name=f"suite {suffix}",
        example=SUITE,
        damaged=(f"suite{suffix}",),
        command=f"run suite{suffix} {ONE} --out OUT/run",
        oracle=oracles.suite(f"suite{suffix}"),
        told="written as TOML, YAML and JSON and read again, it is the same suite",
    )


def _of_run(name: str, command: str) -> Target:
    return Target(
        name=f"run folder: {name}",
        example=RUN,
        damaged=("run/run.json", "run/results.jsonl", "run/records/along*"),
        command=command,
        oracle=_run_folder,
        told="plan and results, written and read again, are the same",
    )


ONE = "--planner stop --limit 1 --runner serial"
TARGETS = (
    _of_record("log", "log record.npz"),
    _of_record("steps", "log record.npz --jsonl - --csv OUT/steps.csv"),
    _of_record("measure", "measure record.npz --json"),
    _of_record("draw", "draw record.npz --out OUT/picture.png --size 160x120"),
    _of_record("film", "draw record.npz --out OUT/film.gif --size 160x120"),
    _of_record("export", "draw record.npz --out OUT/record.mcap"),
    _of_record("rerun", "rerun record.npz", codes=(0, 1)),
    _of_suite(".toml"),
    _of_suite(".yaml"),
    _of_suite(".json"),
    Target(
        name="robot",
        example=SUITE,
        damaged=("robot.toml",),
        command=f"run suite.toml --robot robot.toml {ONE} --out OUT/run",
        oracle=oracles.robot("robot.toml"),
        told="told again by the robot it stands for, it is the same entry",
    ),
    Target(
        name="robot log",
        example=Example(name="log", make=make_log),
        damaged=("log.csv",),
        command="measure log.csv --goal 4,1 --json",
        oracle=_robot_log,
        told="as a record, written and read again, it is the same",
    ),
    Target(
        name="priorities",
        example=RUN,
        damaged=("priorities.toml",),
        command="compare run --priorities priorities.toml --brief",
        oracle=oracles.settings(_priorities, "priorities.toml"),
        told="written as JSON and read again, they are the same",
    ),
    _of_run("compare", "compare run --format json"),
    _of_run("report", "report run --out OUT/page.html"),
    Target(
        name="run folder: decisions",
        example=Example(name="driven", make=make_driven),
        damaged=("run/decisions/*",),
        command="report run --out OUT/page.html",
        oracle=_decisions,
        told="written and read again, they are the same",
    ),
    _of_run("resume", "run --resume --runner serial --out run"),
    _of_run("plot", "plot run --out OUT/plots"),
    _of_run("draw", "draw run --episode along --out OUT/picture.png --size 160x120"),
    Target(
        name="run folder: latency",
        example=RUN,
        damaged=("timed/run.json", "timed/results.jsonl", "timed/records/*"),
        command="run --replay-latency timed --runner serial --out OUT/run",
        oracle=oracles.nothing_more,
        told="read to the end; what is charged stands in the new records",
    ),
)
