"""Drives as they come: bags, films and folders of frames, with odometry."""
