"""Probes: scenes and questions changed so that it is known, without labels, what must change."""
