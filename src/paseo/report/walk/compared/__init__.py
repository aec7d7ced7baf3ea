"""Comparisons of planners, for people: on one screen, as tables, in words, and for programs."""
