"""Runs and records as tables, plots and a web page."""
