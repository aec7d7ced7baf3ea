"""All metrics that come with Paseo, in the order in which they are shown."""

from paseo.metrics.record import closeness, endings, motion, paths, places, published, pushing
from paseo.metrics.record.contacts import counts
from paseo.metrics.record.metric import Metric

PAPER: tuple[Metric, ...] = (
    endings.success,
    endings.person_collisions,
    paths.path_length,
    paths.path_length_ratio,
    paths.goal_traversal_ratio,
    paths.path_irregularity,
    paths.path_traversal_time,
    motion.speed,
    motion.energy,
    motion.acceleration,
    motion.jerk,
    closeness.closest_person_distance,
    closeness.time_to_collision,
)
BEYOND: tuple[Metric, ...] = (
    counts.caused_contacts,
    counts.shared_contacts,
    counts.walked_into_contacts,
    counts.impact_speed,
    counts.contacts_per_kilometre,
    closeness.minimum_person_distance,
    paths.failure_to_progress,
    paths.spl,
    paths.success_weighted_by_time,
    closeness.personal_space_compliance,
    closeness.intimate_time,
    closeness.personal_time,
    closeness.social_time,
    closeness.group_intrusion,
    closeness.pass_side,
    places.minimum_obstacle_clearance,
    places.legibility,
    motion.stalled_time,
    paths.heading_change,
    pushing.people_pushed,
)
METRICS = PAPER + BEYOND
PUBLISHED: tuple[Metric, ...] = published.METRICS
