"""Whose answers are kept, by which stated rules."""
