"""Pixels: strokes, letters, colours, and frames encoded into films."""
