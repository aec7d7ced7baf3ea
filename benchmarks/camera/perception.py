"""How well perceptions find people, held against where they truly are.

    PASEO_DATA=... python benchmarks/camera/perception.py [EPISODE ...]

Prints, for each perception: of the people in view how many are told (recall), of those told how
many are there (precision), how far off places and velocities are, and CPU milliseconds a picture;
with 95 % intervals from a bootstrap over episodes.

In view is who is within 8 m and shows 30 % of what somebody shows whom nobody hides; told is who is
within 0.5 m of where somebody is told, each once. The robot is driven by social forces and knows
everybody, so that all perceptions see the same.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from paseo.camera.lens.presets import preset
from paseo.camera.lens.sensor import sensed
from paseo.camera.renderer import Effort
from paseo.camera.view import CameraView
from paseo.data.suites.episodes import episode
from paseo.perception.names import PERCEPTIONS, make_perception
from paseo.perception.tracking import pairs_within
from paseo.planners.social_force import SocialForce
from paseo.report.table import text_table
from paseo.sim.episode import EpisodeRun
from paseo.sim.sensing import NOBODY
from paseo.world.arrays import BoolArray
from paseo.world.cameras import Camera, CameraSensor, RgbdImage
from paseo.world.people import Crowd, Snapshot
from paseo.world.planning import Observation
from paseo.world.scenarios import Scenario

EPISODES = ("mixed_eth", "dense_hotelsmall", "crossing_doublehotel", "dense_univ", "dense_zara")
SENSORS = {"exact": CameraSensor(), "noisy": CameraSensor(depth_noise=0.005, depth_holes=0.3)}
NEAR, SHARE, LEAST = 8.0, 0.3, 8  # metres, of a whole person, pixels
SURFACE = 0.5  # square metres that are seen of somebody whom nobody hides
MATCH = 0.5  # metres
STEPS, EVERY = 400, 2  # at most of an episode, and from picture to picture
DRAWS = 2000


@dataclass(frozen=True, slots=True)
class Tally:
    """What was counted in one episode."""

    in_view: int
    found: int  # of those in view
    told: int
    there: int  # of those told
    offs: tuple[float, ...]  # metres
    speeds: tuple[float, ...]  # m/s, off


def main() -> None:
    """Print the table."""
    names, camera = sys.argv[1:] or EPISODES, preset("realsense")
    rows = []
    for words, sensor in SENSORS.items():
        for name in PERCEPTIONS.shipped:
            cpu: list[float] = []
            tallies = [tally(episode(each), name, camera, sensor, cpu) for each in names]
            rows.append([name, words, *figures(tallies), f"{1000 * np.mean(cpu):.1f}"])
    header = ["perception", "depth", "people in view", "recall", "precision", "off m p50", "p90",
              "velocity off m/s p50", "CPU ms"]  # fmt: skip
    print(f"{len(names)} episodes, camera realsense (320x180, 87 degrees), 10 pictures/s")
    print(text_table(header, rows))


def tally(
    world: Scenario, name: str, camera: Camera, sensor: CameraSensor, cpu: list[float]
) -> Tally:
    """One episode with one perception; `cpu` gets the seconds of each picture."""
    view = CameraView(
        world.floorplan, effort=Effort(shadows=False, smooth_edges=False, occlusion=False)
    )
    run, planner, perception = EpisodeRun(world), SocialForce(), make_perception(name)
    planner.begin(run.briefing)
    perception.begin(replace(run.briefing, camera=camera))
    rng = np.random.default_rng(0)
    counts, offs, speeds = np.zeros(4, int), [], []
    for snapshot in _moments(run, planner):
        image = sensed(view.render(snapshot, camera), sensor, rng)
        ids = image.ids if perception.needs_ids else None
        shown = RgbdImage(snapshot.time, snapshot.robot.pose, image.rgb, image.depth, ids)
        begun = time.process_time()
        crowd = perception.people(Observation(snapshot.time, snapshot.robot, NOBODY, shown))
        cpu.append(time.process_time() - begun)
        seen = in_view(snapshot, image.ids, camera)
        pairs = pairs_within(snapshot.crowd.positions, crowd.positions, MATCH)
        counts += [seen.sum(), sum(seen[k] for k in pairs), len(crowd), len(pairs)]
        offs += [float(_gap(snapshot.crowd, crowd, "positions", pair)) for pair in pairs.items()]
        speeds += [float(_gap(snapshot.crowd, crowd, "velocities", pair)) for pair in pairs.items()]
    return Tally(*counts.tolist(), tuple(offs), tuple(speeds))


def _moments(run: EpisodeRun, planner: SocialForce) -> Iterator[Snapshot]:
    """The moments in which a picture is taken."""
    for step in range(STEPS):
        if run.ending() is not None:
            return
        if step % EVERY == 0:
            yield run.snapshot
        run.advance(planner.plan(run.observation))


def in_view(snapshot: Snapshot, ids: np.ndarray, camera: Camera) -> BoolArray:
    """Who is near and little hidden, (people,)."""
    pose, crowd = snapshot.robot.pose, snapshot.crowd
    away = np.hypot(*(crowd.positions - (pose.x, pose.y)).T)
    pixels = np.array([(ids == person).sum() for person in crowd.ids], int)
    whole = SURFACE * camera.fx * camera.fy / np.maximum(away, SURFACE) ** 2
    found: BoolArray = (away < NEAR) & (pixels >= LEAST) & (pixels > SHARE * whole)
    return found


def _gap(truth: Crowd, told: Crowd, what: str, pair: tuple[int, int]) -> float:
    return np.hypot(*(getattr(truth, what)[pair[0]] - getattr(told, what)[pair[1]]))


def figures(tallies: list[Tally]) -> list[object]:
    """The numbers of a row."""
    found = np.array([[each.found, each.in_view, each.there, each.told] for each in tallies])
    draws = np.random.default_rng(0).integers(len(tallies), size=(DRAWS, len(tallies)))
    sums = found[draws].sum(axis=1)

    def share(part: int, whole: int) -> str:
        mean = found[:, part].sum() / found[:, whole].sum()
        low, high = np.quantile(sums[:, part] / sums[:, whole], [0.025, 0.975])
        return f"{mean:.3f} [{low:.3f}, {high:.3f}]"

    offs = np.concatenate([each.offs for each in tallies])
    speeds = np.concatenate([each.speeds for each in tallies])
    return [
        int(found[:, 1].sum()),
        share(0, 1),
        share(2, 3),
        *(f"{np.quantile(offs, q):.3f}" for q in (0.5, 0.9)),
        f"{np.median(speeds):.2f}",
    ]


if __name__ == "__main__":
    main()
