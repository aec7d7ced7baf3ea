"""A model drives: what the robot saw becomes a choice of waypoints, and the answer is followed."""
