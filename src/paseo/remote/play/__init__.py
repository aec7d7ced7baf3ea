"""A person drives the robot, in a browser and in real time."""
