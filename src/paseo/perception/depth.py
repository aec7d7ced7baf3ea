"""People from depth alone: what stands on the known floor, is no wall and as wide as people."""

from typing import ClassVar

from paseo.perception.points import Sighting, camera_of, picture_of
from paseo.perception.standing import standing
from paseo.perception.tracking import Manner, Tracker
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation


class Depth:
    """Needs neither colours nor ids; knows the map, and takes the rest for people."""

    needs_colours: ClassVar[bool] = False

    def __init__(self, radius: float = 0.2, manner: Manner | None = None) -> None:
        self._radius, self._manner = radius, manner or Manner()

    def begin(self, briefing: Briefing) -> None:
        """Prepare for one episode."""
        self._plan, self._sighting = briefing.floorplan, Sighting(camera_of(briefing))
        self._tracker = Tracker(self._manner, radius=self._radius)
        self._shown: float | None = None

    def people(self, observation: Observation) -> Crowd:
        """Who is believed to be where."""
        image = picture_of(observation)
        if image.time != self._shown:
            self._shown = image.time
            camera = self._sighting.camera
            at = camera.view(image.pose).position
            self._tracker.update(
                image.time,
                standing(
                    self._sighting.points(image),
                    self._plan,
                    camera,
                    at,
                    noise=self._sighting.noise(image),
                ),
                is_gone=lambda place: self._sighting.sees_beyond(image, place),
            )
        return self._tracker.crowd(observation.time)
