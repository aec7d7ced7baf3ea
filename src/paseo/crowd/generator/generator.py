"""Generated crowds: a floor plan, a recipe, a seed and a model of steering make a recording."""

import math

import numpy as np

from paseo.compiled import is_cached
from paseo.crowd.generator.filming import film_of, recorded, straightened
from paseo.crowd.generator.manners import STANDING, People, Ways, wishes
from paseo.crowd.generator.population import Party, doorways, parties, targets
from paseo.crowd.generator.queues import Line
from paseo.crowd.generator.routes import Routes, reaches, routes_to
from paseo.crowd.generator.separation import kept_apart
from paseo.crowd.generator.state import GeneratorState
from paseo.crowd.steering import forces
from paseo.crowd.steering.models import Steering, Walkers
from paseo.crowd.steering.social_force import Form, SocialForce
from paseo.errors import BadValue
from paseo.progress import Progress, silent
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.recipes import FASTEST, Habit, Recipe
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Recording

DT = 0.1  # seconds
WARM_UP = 60.0  # seconds before the recording begins, so that the scene is populated
LONGEST = 4 * 3600.0  # seconds
SWAY = 0.01  # metres that standing people move to and fro
SWAY_TIME = 6.0  # seconds
TOP = FASTEST - 0.05  # m/s; rounding must not carry anybody beyond the fastest
KERNELS = (wishes, forces.steered, kept_apart, straightened)  # the slowest to compile


def generated(
    floorplan: FloorPlan,
    recipe: Recipe,
    *,
    duration: float,
    seed: int,
    steering: Steering,
    progress: Progress = silent,
) -> Recording:
    """A synthetic crowd from time 0 to `duration` s, sampled every 0.4 s; groups are told.

    The same recipe, floor plan, seed and steering give the same tracks. Nobody is in a wall, faster
    than 2.5 m/s, ever within 0.2 m of somebody else, or within 0.3 m for longer than 0.5 s.
    """
    check_duration(duration)
    start, end = -WARM_UP, duration + DT
    everybody = parties(recipe, floorplan, start=start, end=end, seed=seed)
    routes = routes_to(floorplan, targets(recipe))
    _check_ways(recipe, routes)
    loop = _Loop(floorplan, recipe, routes, everybody, seed, steering)
    frames, steps = [], range(round(start / DT), round(duration / DT) + 1)
    for done, step in enumerate(steps, start=1):
        who = loop.step(step * DT)
        if step >= 0:
            frames.append((step, who, loop.scene.positions[who]))
        progress("crowd", done, len(steps))
    name = f"synthetic {recipe.name}, seed {seed}"
    recording, _ = recorded(film_of(frames), floorplan, name=name, dt=DT, mates=loop.scene.party)
    return recording


def generate_crowd(
    floorplan: FloorPlan,
    recipe: Recipe,
    *,
    duration: float = 60.0,
    seed: int = 0,
    progress: Progress = silent,
) -> Recording:
    """A synthetic crowd that steers by the social force; `BadValue` where nobody comes."""
    steering = recipe_steering(recipe)
    crowd = generated(
        floorplan, recipe, duration=duration, seed=seed, steering=steering, progress=progress
    )
    if not crowd.tracks:
        raise BadValue(
            f"nobody comes in {duration:g} s with seed {seed}; make it longer, take another seed, "
            "or let more people come"
        )
    return crowd


def check_duration(duration: float) -> None:
    """Raise `BadValue` unless a crowd of so many seconds can be generated."""
    if not DT <= duration <= LONGEST:
        raise BadValue(
            f"a crowd of {duration:g} s cannot be generated, expected {DT:g} to {LONGEST:g} s"
        )


def recipe_steering(recipe: Recipe) -> SocialForce:
    """The social force by which a recipe's people avoid each other, as strongly as it says."""
    return SocialForce(form=Form.ANGULAR, turning=SocialForce.turning * recipe.manners.avoidance)


def is_compiled() -> bool:
    """Whether the first crowd on this machine need not wait for kernels to be compiled."""
    return all(is_cached(kernel) for kernel in KERNELS)


class _Loop:
    """The simulation, step by step."""

    def __init__(
        self,
        plan: FloorPlan,
        recipe: Recipe,
        routes: Routes,
        everybody: list[Party],
        seed: int,
        steering: Steering,
    ) -> None:
        self.scene = GeneratorState(
            everybody, recipe.manners.space, doorways(recipe), _lines(recipe, seed)
        )
        self._plan, self._recipe, self._routes, self._steering = plan, recipe, routes, steering
        self._traits, self._waves = _traits(everybody, recipe)
        steering.begin(plan)

    def step(self, time: float) -> IntArray:
        """Move everybody on by one step up to `time`; who is in then."""
        scene = self.scene
        who = scene.active
        if len(who):
            self._move(who, time)
        scene.advance(time)
        return scene.active

    def _move(self, who: IntArray, time: float) -> None:
        scene, plan, routes = self.scene, self._plan, self._routes
        people = People(
            scene.about, scene.party, scene.positions, scene.velocities, scene.points,
            scene.target, self._traits, self._waves,
        )  # fmt: skip
        ways, manners = Ways(routes.fields, *routes.origin, routes.walls), self._recipe.manners
        wanted = wishes(who, people, ways, time, manners.caution, manners.space)
        before = scene.positions[who]
        top = np.minimum(1.3 * self._traits[who, 0] + 0.3, TOP)
        walkers = Walkers(
            before, scene.velocities[who], wanted, np.full(len(who), self._recipe.radius), top
        )
        velocities = self._steering.velocities(walkers, DT)
        standing = scene.about[who] == STANDING
        velocities[standing] = self._swaying(who[standing], time)
        after = kept_apart(
            before, before + DT * velocities, standing, TOP * DT, plan.distance, *plan.origin,
            plan.cell_size,
        )  # fmt: skip
        scene.positions[who] = after
        scene.velocities[who] = (after - before) / DT

    def _swaying(self, who: IntArray, time: float) -> FloatArray:
        """The velocity of people who stand, (people, 2)."""
        phases = self._waves[who, 1, :2]
        speed = SWAY * 2.0 * math.pi / SWAY_TIME
        swaying: FloatArray = speed * np.cos(2.0 * math.pi * time / SWAY_TIME + phases)
        return swaying


def _traits(everybody: list[Party], recipe: Recipe) -> tuple[FloatArray, FloatArray]:
    """The traits and the waves of everybody, as `People` has them."""
    people = sum(len(party.speeds) for party in everybody)
    traits, row = np.empty((people, 5)), 0
    waves = np.zeros((people, 3, 4))
    for party in everybody:
        rows = slice(row, row + len(party.speeds))
        traits[rows, 0] = party.speeds
        traits[rows, 1] = party.wander
        traits[rows, 2] = recipe.manners.unevenness
        traits[rows, 3:] = party.places
        waves[rows] = party.waves
        row = rows.stop
    return traits, waves


def _lines(recipe: Recipe, seed: int) -> dict[int, Line]:
    """The queues by the number of their spot among the targets."""
    lines = {}
    for number, stay in enumerate(recipe.stays, start=1):
        if stay.habit is Habit.QUEUE:
            own = np.random.SeedSequence(seed, spawn_key=(0, number))
            lines[len(recipe.gates) + number - 1] = Line(stay, np.random.default_rng(own))
    return lines


def _check_ways(recipe: Recipe, routes: Routes) -> None:
    """Everybody must be able to walk from gate to gate, and to the spots."""
    names = [f"gate '{gate.name}'" for gate in recipe.gates]
    names += [f"the stay at ({stay.x:g}, {stay.y:g})" for stay in recipe.stays]
    for name, (x, y) in zip(names[1:], routes.targets[1:].tolist(), strict=True):
        if not reaches(routes, 0, x, y):
            raise BadValue(
                f"recipe '{recipe.name}': no way leads from {names[0]} to {name}; move one of them"
            )
