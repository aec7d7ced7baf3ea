"""The social force model: people are pushed by their own aim, by others, and by walls."""

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from paseo.crowd.steering import forces
from paseo.crowd.steering.forces import Ground, Law
from paseo.crowd.steering.models import Walkers
from paseo.errors import BadValue, UnknownName
from paseo.world.arrays import FloatArray
from paseo.world.space.floorplan import FloorPlan


class Form(StrEnum):
    """How people push each other."""

    ELLIPTICAL = "elliptical"
    CIRCULAR = "circular"
    ANGULAR = "angular"


FORMS = {
    Form.ELLIPTICAL: forces.ELLIPTICAL,
    Form.CIRCULAR: forces.CIRCULAR,
    Form.ANGULAR: forces.ANGULAR,
}
POSITIVE = {"tau", "sight", "potential_range", "wall_potential_range", "push_range",
            "turning_time", "wall_force_range"}  # divisors; all else may be 0  # fmt: skip


@dataclass(kw_only=True)
class SocialForce:
    """People as bodies with forces between them, in one of three forms:

    - elliptical: D. Helbing and P. Molnar, Social force model for pedestrian dynamics,
      Phys. Rev. E 51, 4282 (1995). Others are given room where they are about to step.
    - circular: D. Helbing, I. Farkas and T. Vicsek, Simulating dynamical features of escape panic,
      Nature 407, 487 (2000). Only distance counts; its forces are divided by 80 kg here.
    - angular: M. Moussaid et al., Experimental study of the behavioural mechanisms underlying
      self-organization in human crowds, Proc. R. Soc. B 276, 2755 (2009). People brake and turn.

    Walls push as in the form's own paper, by the distance field. In every form overlapping discs
    part by the contact forces of the second paper, as far as one step of `dt` can carry them, and
    a step into a wall loses its part into the wall. Velocities advance by one explicit Euler step.
    Others count up to where a force has fallen to 1e-4 of its maximum, at most up to `sight`:
    that cuts short only the angular form, whose force on two people who close in at 2.6 m/s is
    0.025 of its maximum at 8 m.
    """

    form: Form = Form.ELLIPTICAL
    tau: float = 0.5  # s, in which people come back to the velocity they want
    sight: float = 8.0  # m, beyond which nobody is noticed

    potential: float = 2.1  # m2/s2, elliptical: V0
    potential_range: float = 0.3  # m, sigma
    step_time: float = 2.0  # s, delta t: how far ahead others need room
    view: float = math.radians(200.0)  # rad, 2 phi: who is in it counts in full
    behind: float = 0.5  # c: the share that counts of all others
    wall_potential: float = 10.0  # m2/s2, U0
    wall_potential_range: float = 0.2  # m, R

    push: float = 25.0  # m/s2, circular: A = 2000 N; of walls, too
    push_range: float = 0.08  # m, B; of walls, too
    all_round: float = 1.0  # the share that counts of people right behind; 1: as in front

    turning: float = 4.5  # m/s2, angular: A
    turning_time: float = 0.35  # m per unit of interaction, gamma
    foresight: float = 2.0  # s/m, lambda: the weight of velocities against directions
    braking_focus: float = 3.0  # 1/(m rad), n'
    turning_focus: float = 2.0  # 1/(m rad), n
    side_bias: float = 0.005  # rad/m, epsilon: above 0, people prefer to pass on the right
    wall_force: float = 3.0  # m/s2, a
    wall_force_range: float = 0.1  # m, b

    body: float = 1500.0  # 1/s2, k = 1.2e5 kg/s2
    friction: float = 3000.0  # 1/(m s), kappa = 2.4e5 kg/(m s)

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise UnknownName("form of the social force", self.form, FORMS)
        self.form = Form(self.form)
        for name, value in vars(self).items():
            if name == "form" or (name == "side_bias" and math.isfinite(value)):
                continue
            if not (0.0 < value < math.inf or (value == 0.0 and name not in POSITIVE)):
                raise BadValue(f"social force: {name} is {value}, but must be a positive number")
        for name in vars(self).keys() - {"form"}:
            setattr(self, name, float(vars(self)[name]))  # for integers kernels are compiled anew

    def begin(self, floorplan: FloorPlan) -> None:
        """Remember where the walls are."""
        self.ground = Ground(floorplan.distance, *floorplan.origin, floorplan.cell_size)
        self.law = self._as_law()

    def velocities(self, walkers: Walkers, dt: float) -> FloatArray:
        """The velocity of everybody during the next `dt` seconds, (walkers, 2)."""
        if not 0.0 < dt < math.inf:
            raise BadValue(f"social force: dt is {dt}, but a step takes some seconds")
        table = np.empty((len(walkers), 8))  # the one kind of array that the kernel is made for
        table[:, 0:2] = walkers.positions
        table[:, 2:4] = walkers.velocities
        table[:, 4:6] = walkers.wanted
        table[:, 6] = walkers.radii
        table[:, 7] = walkers.top_speeds
        return forces.steered(table, float(dt), self.law, self.ground)

    def _as_law(self) -> Law:
        wall_push, wall_range = {
            Form.ELLIPTICAL: (
                self.wall_potential / self.wall_potential_range,
                self.wall_potential_range,
            ),
            Form.CIRCULAR: (self.push, self.push_range),
            Form.ANGULAR: (self.wall_force, self.wall_force_range),
        }[self.form]
        return Law(
            form=FORMS[self.form],
            tau=self.tau,
            sight=self.sight,
            potential=self.potential,
            potential_range=self.potential_range,
            step_time=self.step_time,
            view_cosine=math.cos(0.5 * self.view),
            behind=self.behind,
            push=self.push,
            push_range=self.push_range,
            all_round=self.all_round,
            turning=self.turning,
            turning_time=self.turning_time,
            foresight=self.foresight,
            braking_focus=self.braking_focus,
            turning_focus=self.turning_focus,
            side_bias=self.side_bias,
            body=self.body,
            friction=self.friction,
            wall_push=wall_push,
            wall_range=wall_range,
            wall_from_skin=float(self.form is Form.CIRCULAR),
        )
