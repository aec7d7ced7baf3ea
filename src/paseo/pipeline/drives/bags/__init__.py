"""Bags as files: records and messages out of ROS 1 bags, MCAP and SQLite, within bounds."""
