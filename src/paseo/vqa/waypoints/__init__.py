"""Waypoint selection: where a robot may go next, drawn as marks of which a model chooses one."""
