"""Figures of a comparison, one module for each kind, drawn on those of matplotlib."""
