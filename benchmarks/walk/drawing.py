"""Frames drawn and films written per second at 800x600, against matplotlib, in one process.

Usage: python benchmarks/walk/drawing.py

Seconds are of processor time, all threads together, so that other work on the machine is no fault.
The scene: 44 people with headings and fading trails, a robot with its path. Matplotlib draws the
same with its figure and artists reused and the background restored, its fastest way.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import EllipseCollection, LineCollection
from matplotlib.figure import Figure

from paseo.planners.straight import Straight
from paseo.render.films.footage import Footage, Playback
from paseo.render.films.panels import Overlaid
from paseo.render.raster.film import write_film
from paseo.render.staging.backdrop import backdrop_of
from paseo.render.staging.playthrough import Moment, Playthrough
from paseo.render.topview.topview import TopView
from paseo.sim.simulate import simulate
from paseo.world.motion import Pose
from paseo.world.records import Record
from paseo.world.scenarios import Scenario
from paseo.world.space.floorplan import floor_plan
from paseo.world.tracks import Track

PEOPLE, FRAMES, SIZE = 44, 300, (800, 600)
DRAWN, FILMED = 800, 100  # frames per second wanted


def crowded_drive() -> Record:
    """A robot that crosses a hall of 24 by 17 m in which everybody walks in large curves."""
    corners = np.array([[0.0, 0.0], [24.0, 0.0], [24.0, 17.0], [0.0, 17.0], [0.0, 0.0]])
    rng = np.random.default_rng(0)
    times = np.arange(0.0, 60.04, 0.04)
    tracks = []
    for person in range(PEOPLE):
        x = 12 + rng.uniform(2, 11) * np.sin(times * 0.13 + person)
        y = 8.5 + 7.5 * np.cos(times * 0.19 + 2 * person)
        tracks.append(Track(person, times, np.stack([x, y], axis=1)))
    hall = floor_plan("hall", np.stack([corners[:-1], corners[1:]], axis=1))
    task = Scenario(name="crowded", floorplan=hall, start=Pose(1.0, 8.0), goal=Pose(23.0, 9.0),
                    tracks=tuple(tracks))  # fmt: skip
    return simulate(task, Straight(speed=1.0))


class Blitted:
    """The same scene by matplotlib, as fast as it can: artists are moved, the floor is kept."""

    def __init__(self, record: Record) -> None:
        figure = Figure(figsize=(SIZE[0] / 100, SIZE[1] / 100), dpi=100)
        self._canvas = FigureCanvasAgg(figure)
        self._axes = figure.add_axes((0, 0, 1, 1), aspect="equal")
        x0, y0, x1, y1 = record.scenario.floorplan.bounds
        self._axes.set(xlim=(x0, x1), ylim=(y0, y1))
        for wall in record.scenario.floorplan.walls:
            self._axes.plot(*wall.T, color="grey")
        self._canvas.draw()
        self._empty = self._canvas.copy_from_bbox(figure.bbox)
        across = np.full(PEOPLE, 0.4)
        self._trails = LineCollection([], linewidths=1.5)
        self._people = EllipseCollection(
            across, across, np.zeros(PEOPLE), units="xy", facecolors="silver", edgecolors="grey",
            offsets=np.zeros((PEOPLE, 2)), offset_transform=self._axes.transData,
        )  # fmt: skip
        self._ticks = LineCollection([], colors="grey")
        self._robot = EllipseCollection([0.48], [0.48], [0], units="xy", facecolors="tab:blue",
                                        offsets=np.zeros((1, 2)),
                                        offset_transform=self._axes.transData)  # fmt: skip
        (self._path,) = self._axes.plot([], [], color="tab:blue")
        self._time = self._axes.text(0.98, 0.98, "", ha="right", va="top",
                                     transform=self._axes.transAxes)  # fmt: skip
        for artist in (self._trails, self._people, self._ticks, self._robot):
            self._axes.add_collection(artist)

    def frame(self, moment: Moment) -> np.ndarray:
        self._canvas.restore_region(self._empty)
        trails, crowd = moment.trails, moment.snapshot.crowd
        pieces = np.stack([trails[:-1], trails[1:]], axis=2).reshape(-1, 2, 2)
        shades = np.repeat(np.linspace(0, 0.8, len(trails))[1:], trails.shape[1])
        colours = np.full((len(pieces), 4), 0.5)
        colours[:, 3] = shades
        self._trails.set_segments(pieces)
        self._trails.set_color(colours)
        self._people.set_offsets(crowd.positions)
        speeds = np.hypot(*crowd.velocities.T)[:, None]
        ahead = crowd.positions + 0.28 * crowd.velocities / np.maximum(speeds, 1e-9)
        self._ticks.set_segments(np.stack([crowd.positions, ahead], axis=1))
        pose = moment.snapshot.robot.pose
        self._robot.set_offsets([[pose.x, pose.y]])
        self._path.set_data(*moment.path.T)
        self._time.set_text(f"{moment.snapshot.time:.1f} s")
        for artist in (
            self._trails,
            self._path,
            self._people,
            self._ticks,
            self._robot,
            self._time,
        ):
            self._axes.draw_artist(artist)
        return np.asarray(self._canvas.buffer_rgba())[:, :, :3].copy()


def rate(work: Callable[[], int]) -> float:
    """Frames per second of processor time, the best of three rounds."""
    rates = []
    for _ in range(3):
        start = time.process_time()
        frames = work()
        rates.append(frames / (time.process_time() - start))
    return max(rates)


def main() -> int:
    record = crowded_drive()
    playthrough = Playthrough(record)
    moments = [playthrough.at(playthrough.end * k / FRAMES) for k in range(FRAMES)]
    view, peer = TopView(backdrop_of([record]), SIZE), Blitted(record)
    view.render(moments[:1])  # compiles

    drawn = rate(lambda: sum(view.render([moment]).rgb.shape[2] // 3 for moment in moments))
    blitted = rate(lambda: sum(peer.frame(moment).shape[2] // 3 for moment in moments[::5]))
    print(f"drawing: {drawn:,.0f} frames/s (wanted {DRAWN}); matplotlib, blitted: "
          f"{blitted:,.0f} frames/s; {drawn / blitted:.1f} times as fast")  # fmt: skip

    filmed = {}
    with tempfile.TemporaryDirectory() as folder:
        for ending, fps in ((".mp4", 20.0), (".gif", 10.0)):
            stage = Overlaid([record], size=SIZE)
            frames = Footage(stage, Playback(fps=fps))
            film = Path(folder) / f"film{ending}"
            write_film(film, frames[:3], fps)  # compiles
            start, busy = time.perf_counter(), time.process_time()
            write_film(film, frames, fps)
            filmed[ending] = len(frames) / (time.process_time() - busy)
            on_the_wall = len(frames) / (time.perf_counter() - start)
            wanted = f" (wanted {FILMED})" if ending == ".mp4" else ""
            print(f"{ending[1:]} from end to end: {filmed[ending]:,.0f} frames/s{wanted}, "
                  f"{on_the_wall:,.0f} on the clock on the wall; {len(frames)} frames, "
                  f"{film.stat().st_size / 1e3:,.0f} kB")  # fmt: skip
    return 0 if drawn >= DRAWN and filmed[".mp4"] >= FILMED else 1


if __name__ == "__main__":
    sys.exit(main())
