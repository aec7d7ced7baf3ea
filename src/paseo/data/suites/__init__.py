"""Suites of episodes: their files, and the scenarios that come of them."""
