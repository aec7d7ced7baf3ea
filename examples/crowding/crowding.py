"""A metric of your own: how many people were within two metres of the robot.

By file:         paseo measure RECORD --metric examples/crowding/crowding.py:people_nearby
By entry point:  pip install ./examples/crowding, then it is in every `paseo measure` and `compare`
"""

import numpy as np

from paseo import Record, metric

NEAR = 2.0  # metres between centres


@metric(unit="people", better="neither", formula=f"number of people within {NEAR:g} m, each state")
def people_nearby(record: Record) -> np.ndarray:
    """How many people were near the robot, in each state."""
    offsets = record.people - record.robot[:, None, :2]  # (states, people, 2), NaN while absent
    return (np.hypot(offsets[..., 0], offsets[..., 1]) < NEAR).sum(axis=1).astype(float)
