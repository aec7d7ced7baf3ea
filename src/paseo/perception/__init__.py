"""How people are found in what the robot's camera shows, before a planner is asked."""
