"""Recordings of pedestrians from files in many formats, and logs of robots."""
