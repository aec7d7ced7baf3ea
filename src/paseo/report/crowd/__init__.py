"""Crowds as words and pictures: examinations and realism."""
