"""Metrics: pure functions of one record."""
