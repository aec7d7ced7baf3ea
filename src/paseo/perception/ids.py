"""People by perfect segmentation: whose a pixel is, is known; where they are, depth tells."""

from typing import ClassVar

import numpy as np

from paseo.errors import BadValue
from paseo.perception.points import Points, Sighting, camera_of, picture_of
from paseo.perception.standing import middle_of, towards_middle
from paseo.perception.tracking import Manner, Tracker
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation

LEAST_POINTS = 3  # that show somebody


class Ids:
    """Everybody who is seen, by their true ids; believed in for a while when out of sight."""

    needs_ids: ClassVar[bool] = True
    needs_colours: ClassVar[bool] = False

    def __init__(self, radius: float = 0.2, manner: Manner | None = None) -> None:
        self._radius, self._manner = radius, manner or Manner(needed=1)

    def begin(self, briefing: Briefing) -> None:
        """Prepare for one episode."""
        self._sighting = Sighting(camera_of(briefing))
        self._tracker = Tracker(self._manner, radius=self._radius)
        self._shown: float | None = None

    def people(self, observation: Observation) -> Crowd:
        """Who is believed to be where."""
        image = picture_of(observation)
        if image.time != self._shown:
            self._shown = image.time
            bodies = _bodies(self._sighting.points(image))
            where = np.array([middle_of(each) for each in bodies.values()]).reshape(-1, 2)
            at = self._sighting.camera.view(image.pose).position
            self._tracker.update(
                image.time,
                towards_middle(where, at),
                names=list(bodies),
                is_gone=lambda place: self._sighting.sees_beyond(image, place),
            )
        return self._tracker.crowd(observation.time)


def _bodies(points: Points) -> dict[int, Points]:
    """What is seen of each person, by id."""
    if points.ids is None:
        raise BadValue("the perception 'ids' needs pictures with the true ids of their pixels")
    ids, counts = np.unique(points.ids, return_counts=True)
    names = ids[(ids >= 0) & (counts >= LEAST_POINTS)].tolist()
    return {name: points.some(points.ids == name) for name in names}
