"""Crowds and episodes out of a drive: its people for planners to meet, and how it was driven."""
