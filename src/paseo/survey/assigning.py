"""Who gets which scenes: seeded, and so that every scene has its people as early as possible."""

from collections.abc import Mapping

import numpy as np

SCENE_STREAM = 0  # of the random numbers of a person; 1 places the checks, 2 makes pairs


def scenes_for(
    taken: Mapping[str, int], *, per_scene: int, scenes_each: int, seed: int, person: int
) -> tuple[str, ...]:
    """The scenes for the next person, none twice; fewer or none where fewer need people.

    `taken` says of every scene how many places in it are filled or being filled. Those with the
    fewest come first, and among equals the seed and the person's number decide: as no scene is
    then ever two ahead of another, all are full after as few people as can be.
    """
    needing = [scene for scene, count in taken.items() if count < per_scene]
    rng = np.random.default_rng([seed, person, SCENE_STREAM])
    luck = dict(zip(needing, rng.permutation(len(needing)), strict=True))
    by_need = sorted(needing, key=lambda scene: (taken[scene], luck[scene]))
    return tuple(by_need[:scenes_each])


def is_abandoned(seen_s: float, *, now: float, limit: float) -> bool:
    """Whether somebody who gave the last sign of themselves then has left their places."""
    return now - seen_s > limit
