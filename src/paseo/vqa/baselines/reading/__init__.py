"""Positions read out of bird's-eye pictures: discs found, numbers recognised, axes understood."""
