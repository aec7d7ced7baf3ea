"""Surfaces painted by noise and by hand of a seed."""
