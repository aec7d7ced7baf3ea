"""Planners side by side: statistics over many measured episodes."""
