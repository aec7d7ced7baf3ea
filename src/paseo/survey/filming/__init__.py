"""Drives of runs as clips that people rate."""
