"""Verdicts on crowds of which it is only roughly known where people were: how sure they are.

Every episode is also run among people who are drawn from what is known of them and of the robot's
odometry. A verdict that many draws do not share is no verdict on the planner, but on how well
people were located.
"""

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from msgspec import structs

from paseo.data.store.crowds import crowd_folder, save_crowd
from paseo.data.store.locations import DataFolder, data_folder
from paseo.data.suites.suite_file import DriftEntry, EpisodeEntry, RobotEntry, SuiteFile, read_suite
from paseo.data.suites.suite_writing import suite_bytes
from paseo.errors import BadValue
from paseo.files import draft_folder
from paseo.pipeline.drives.drift import Drift
from paseo.pipeline.episodes.draws import DrawnCrowd, drawn_episode, drift_of
from paseo.pipeline.reconstruction import UNCERTAIN
from paseo.progress import Progress, silent
from paseo.registry.trust import Consent, only_known
from paseo.suite.running import USUAL, Run, run
from paseo.suite.runs.planning import NamedPlanner, RunOptions
from paseo.suite.runs.results import Result
from paseo.world.records import Verdict

DRAWN = "+draw-"  # parts the name of a crowd or an episode from which draw it is
MOST_DRAWS = 1000

# The people of a named crowd as they may also have walked, so many times, if odometry drifts so.
Draw = Callable[[str, int, Drift], Sequence[DrawnCrowd]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnVerdict:
    """What became of a planner in an episode, and in how many draws something else did."""

    episode: str
    planner: str
    seed: int
    verdict: Verdict  # among people where they most likely were
    others: Mapping[Verdict, int]  # in how many draws each verdict that is not this one
    draws: int

    @property
    def flips(self) -> int:
        """Draws with another verdict."""
        return sum(self.others.values())

    @property
    def is_uncertain(self) -> bool:
        """Whether a tenth of the draws or more say otherwise."""
        return self.flips >= UNCERTAIN * self.draws

    @property
    def words(self) -> str:
        """The verdict, and that it is uncertain where it is."""
        if not self.is_uncertain:
            return self.verdict.value
        told = f"{self.flips} of {self.draws} draws say otherwise"
        return f"{self.verdict.value} (uncertain: {told})"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnRun:
    """A run in which every episode was repeated among drawn people."""

    run: Run  # with all of them
    verdicts: tuple[DrawnVerdict, ...]  # in the order of the suite's own episodes


def uncertain_verdicts(
    suite: Path,
    planners: NamedPlanner | Sequence[NamedPlanner] | None,
    draw: Draw,
    *,
    out: Path,
    count: int = 100,
    options: RunOptions = USUAL,
    resume: bool = False,
    progress: Progress = silent,
    trust: Consent = only_known,
) -> DrawnRun:
    """Run planners through a suite file and through `count` draws of its people, into `out`.

    There, drawn/ holds the crowds and the suite that was really run, and run/ an ordinary run.
    """
    if not 1 <= count <= MOST_DRAWS:
        raise BadValue(
            f"{count} draws were asked for, expected 1 to {MOST_DRAWS}", parameters=("draws",)
        )
    drawn = out / "drawn"
    if not (resume and drawn.is_dir()):
        _write_draws(drawn, suite, draw, count=count, data=data_folder(options.data))
    done = run(
        drawn / "suite.json",
        planners,
        out=out / "run",
        options=replace(options, data=drawn / "data"),
        resume=resume and (out / "run").is_dir(),
        progress=progress,
        trust=trust,
    )
    return DrawnRun(run=done, verdicts=tuple(drawn_verdicts(done.results)))


def drawn_verdicts(results: Sequence[Result]) -> Iterator[DrawnVerdict]:
    """The verdict of each episode that is no draw, held against those of its draws."""
    draws: dict[tuple[object, ...], Counter[Verdict]] = {}
    for each in results:
        name, parted, _ = each.entry.partition(DRAWN)
        if parted:
            draws.setdefault((name, each.group, each.seed), Counter())[each.verdict] += 1
    for each in results:
        if DRAWN not in each.entry:
            found = draws.get((each.entry, each.group, each.seed), Counter())
            yield DrawnVerdict(
                episode=each.entry,
                planner=each.planner,
                seed=each.seed,
                verdict=each.verdict,
                others={v: n for v, n in sorted(found.items()) if v is not each.verdict},
                draws=found.total(),
            )


def _write_draws(folder: Path, file: Path, draw: Draw, *, count: int, data: DataFolder) -> None:
    """The suite with every episode once for each draw, and the crowds that it names."""
    suite = read_suite(file, data)
    crowds = dict.fromkeys(each.recording for e in suite.episodes for each in e.recordings)
    if not crowds:
        raise BadValue(f"{file}: its episodes name no crowd, so that nobody can be drawn")
    robot = suite.robot
    drift = drift_of(robot.odometry if isinstance(robot, RobotEntry) else DriftEntry())
    with draft_folder(folder) as draft:
        drawn = {crowd: draw(crowd, count, drift) for crowd in crowds}
        for crowd, walks in drawn.items():
            _write_crowd(draft / "data", crowd, walks, data)
        (draft / "suite.json").write_bytes(suite_bytes(_drawn_suite(suite, drawn, count), ".json"))


def _write_crowd(folder: Path, crowd: str, walks: Sequence[DrawnCrowd], data: DataFolder) -> None:
    about = data.about(crowd)
    shutil.copytree(crowd_folder(crowd, data.path), crowd_folder(crowd, folder))
    for number, each in enumerate(walks, start=1):
        named = structs.replace(about, name=_drawn_name(crowd, number))
        save_crowd(named, each.recording, each.floorplan, folder)


def _drawn_suite(
    suite: SuiteFile, drawn: Mapping[str, Sequence[DrawnCrowd]], count: int
) -> SuiteFile:
    entries = [
        _drawn_entry(entry, drawn, k) for k in range(1, count + 1) for entry in suite.episodes
    ]
    return structs.replace(suite, episodes=[*suite.episodes, *entries])


def _drawn_entry(
    entry: EpisodeEntry, drawn: Mapping[str, Sequence[DrawnCrowd]], number: int
) -> EpisodeEntry:
    crowds = [each.recording for each in entry.recordings]
    draws = [drawn[crowd][number - 1] for crowd in crowds]
    found = drawn_episode(entry, draws, [_drawn_name(crowd, number) for crowd in crowds])
    return structs.replace(found, name=_drawn_name(entry.name, number))


def _drawn_name(name: str, number: int) -> str:
    return f"{name[-85:]}{DRAWN}{number:04d}"
