"""How the robot decides; one file for each planner."""
