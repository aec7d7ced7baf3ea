"""The scene as the robot sees it, by its camera."""
