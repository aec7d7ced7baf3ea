"""Truth by geometry: what followed a scene, and which answers that makes right."""
