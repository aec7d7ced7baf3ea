"""No command takes more than 1 GB or 10 s of a processor to refuse a file under 10 MB.

Each is a process of its own, whose processor time and memory the system counts. What is no file at
all, such as a device that never ends or a pipe that nobody writes to, is refused likewise.
"""

import shutil
import sys
from pathlib import Path

import pytest

from bombs import BOMBS, PICKLES, far_suite, spilled
from costs import MOST_SECONDS, check_cost, cost_of
from paseo.suite.running import run
from paseo.suite.runs.planning import RunOptions
from runs import ROOM, course
from tiny_scenes import SETTINGS, TRACKS, write_json, write_scene_files

# Where each kind of file goes; {} is the file. Whatever they write goes into an empty folder.
COMMANDS: dict[str, list[str]] = {
    "run": ["run", "{}", "--planner", "straight", "--out", "out"],
    "serve": ["serve", "{}", "--listen", "127.0.0.1:0", "--out", "out"],
    "run --robot": ["run", "scripted-10", "--planner", "straight", "--robot", "{}", "--out", "out"],
    "run --planner": ["run", "scripted-10", "--planner", "{}:P", "--out", "out"],
    "run --camera": ["run", "scripted-10", "--planner", "straight", "--camera", "{}"],
    "run --camera-sensor": ["run", "scripted-10", "--planner", "straight", "--camera-sensor", "{}"],
    "crowd generate": ["crowd", "generate", "{}", "--out", "out.csv"],
    "crowd generate --recipe": ["crowd", "generate", "eth", "--recipe", "{}", "--out", "out.csv"],
    "crowd realism": ["crowd", "realism", "{}", "--fps", "25"],
    "ask --prices": ["ask", "random", "--prices", "{}", "--out", "out"],
    "draw": ["draw", "{}", "--out", "out.png"],
    "draw @": ["draw", "{}@0.05", "--out", "out.png"],
    "draw film": ["draw", "{}", "--out", "out.mp4"],
    "log": ["log", "{}"],
    "rerun": ["rerun", "{}"],
    "measure": ["measure", "{}"],
    "measure --map": ["measure", "robot.csv", "--map", "{}"],
    "measure --metric": ["measure", "robot.csv", "--metric", "{}:M"],
    "render": ["render", "{}", "--time-s", "0", "--out", "out"],
    "data check": ["data", "check", "{}", "--fps", "25", "--picture", "out.png"],
    "data import": ["data", "import", "{}", "--fps", "25", "--name", "bomb", "--data", "data"],
    "data import --groups": ["data", "import", "log.csv", "--fps", "25", "--name", "bomb",
                             "--data", "data", "--groups", "{}"],
}  # fmt: skip
TAKE_SETTINGS = ("run", "run --robot", "serve", "crowd generate --recipe")
TAKES: dict[str, tuple[str, ...]] = {
    ".toml": (*TAKE_SETTINGS, "ask --prices", "run --camera", "run --camera-sensor"),
    ".yaml": (*TAKE_SETTINGS, "draw", "crowd generate", "measure --map"),
    ".json": (*TAKE_SETTINGS, "draw", "crowd generate", "measure --map", "data import --groups"),
    ".npz": ("log", "measure", "draw", "draw film", "rerun", "render"),
    ".csv": ("measure", "data check", "data import", "crowd realism"),
    ".csv.gz": ("data check", "data import", "crowd realism"),
    ".zip": ("data check",),
    ".tgz": ("data check",),
    ".ndjson": ("data check", "data import"),
    ".pgm": ("draw @",),
    ".png": ("draw @",),
    ".py": ("run --planner", "measure --metric"),
}
ROBOT = "time_s,agent,x_m,y_m,heading_rad,radius_m\n0,robot,0,0,0,0.2\n1,robot,1,0,0,0.2\n"
NO_FILES = ("a device", "a pipe", "a hole")
# Whole files that are only odd, and may be used: a film of it must be cheap all the same.
MAY_BE_READ = {(".csv", "far off"), (".csv", "many frames"), (".csv.gz", "rows"), (".zip", "zeros")}
QUICK = {
    ("run", ".toml", "dotted key"),
    ("run", ".yaml", "merge keys"),
    ("draw", ".yaml", "merge keys"),
    ("run --robot", ".toml", "a device"),
    ("run --planner", ".py", "a pipe"),
    ("draw", ".npz", "a goal of a light year"),
    ("log", ".npz", "a pipe"),
    ("data check", ".csv", "a pipe"),
}


def cases() -> list[object]:
    rows = [
        (command, suffix, name)
        for suffix, commands in TAKES.items()
        for name in (*BOMBS[suffix], *NO_FILES)
        for command in commands
    ]
    return [
        pytest.param(*row, id=" ".join(row), marks=[] if row in QUICK else pytest.mark.slow)
        for row in rows
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "log.csv").write_text("frame,ped_id,x_m,y_m\n0,1,0,0\n1,1,1,1\n")
    (tmp_path / "robot.csv").write_text(ROBOT)
    (tmp_path / "room.txt").write_text(ROOM)
    return tmp_path


@pytest.mark.skipif(sys.platform == "win32", reason="the system does not count it")
@pytest.mark.parametrize(("command", "suffix", "name"), cases())
def test_a_bomb_is_refused_at_a_small_cost(
    folder: Path, command: str, suffix: str, name: str
) -> None:
    bomb = spilled(folder, suffix, name)
    cost = cost_of([word.replace("{}", bomb.name) for word in COMMANDS[command]], folder)
    check_cost(cost, may_be_read=(suffix, name) in MAY_BE_READ)


@pytest.mark.parametrize("scale", [1e6, 1e8])
@pytest.mark.slow
def test_people_a_thousand_kilometres_off_are_told_and_not_simulated(
    folder: Path, scale: float
) -> None:
    (folder / "far.json").write_bytes(far_suite(scale))
    cost = cost_of(["run", "far.json", "--planner", "straight", "--out", "out"], folder)
    assert cost.code == 2 and "person 7 is more than 100000 m from floor plan" in cost.told, cost
    assert cost.seconds < MOST_SECONDS


# Files in folders, by the folder they are in: bombs, and the commands that read them.
RUN = {
    "compare": ["compare", "folder"],
    "report": ["report", "folder", "--out", "out.html"],
    "plot": ["plot", "folder", "--out", "out.png"],
    "resume": ["run", "--resume", "--out", "folder"],
}
EXAM = {"score": ["score", "folder"], "exam show": ["exam", "show", "folder", "--out", "out"]}
SHOW = {"scenes show": ["scenes", "show", "{}", "--scenes", "folder", "--out", "out.png"]}
INSIDE = [
    *(("run.json", name, words) for name in BOMBS[".json"] for words in RUN.values()),
    *(("exam.json", name, words) for name in BOMBS[".json"] for words in EXAM.values()),
    *(("results.jsonl", name, words) for name in BOMBS[".json"] for words in RUN.values()),
    *(("dataset_cfg.yaml", name, SHOW["scenes show"]) for name in BOMBS[".yaml"]),
    *(("front_view/{}/traj_data.pkl", name, SHOW["scenes show"]) for name in PICKLES),
]


def write_dataset(root: Path) -> str:
    """A data set of one scene; its name."""
    write_scene_files(root, "74_Spot_2_0", {"1": TRACKS["7"]}, first=0)
    (root / "dataset_cfg.yaml").write_text(SETTINGS)
    write_json(root / "prompts/sample_info.json", {"samples": [{"folderpath": "74_Spot_2_0"}]})
    write_json(root / "goal_info.json", {"74_Spot_2/0.jpg": ["", [4000.0, 0]]})
    return "74_Spot_2_0"


def damaged(folder: Path, place: str, name: str, kept: Path) -> str:
    """A run, an exam or scenes with a bomb in it; the scene's name."""
    inside = folder / "folder"
    scene = ""
    if place == "results.jsonl":
        shutil.copytree(kept, inside)
    elif place in ("run.json", "exam.json"):
        inside.mkdir()
    else:
        scene = write_dataset(inside)
    content = PICKLES[name] if place.endswith(".pkl") else None
    suffix = ".yaml" if place.endswith(".yaml") else ".json"
    ending = b"\n" if place == "results.jsonl" else b""
    path = inside / place.replace("{}", scene)
    path.write_bytes(content or BOMBS[suffix][name]() + ending)
    return scene


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run, to be damaged."""
    folder = tmp_path_factory.mktemp("finished")
    options = RunOptions(runner="serial")
    run(course(folder, "one", time_limit_s=0.5), "stop", out=folder / "run", options=options)
    return folder / "run"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "name", "words"),
    [pytest.param(*each, id=f"{' '.join(each[2][:2])} {each[0]} {each[1]}") for each in INSIDE],
)
def test_a_bomb_in_a_folder_is_refused_at_a_small_cost(
    folder: Path, finished: Path, place: str, name: str, words: list[str]
) -> None:
    scene = damaged(folder, place, name, finished)
    cost = cost_of([word.replace("{}", scene) for word in words], folder)
    check_cost(cost)
