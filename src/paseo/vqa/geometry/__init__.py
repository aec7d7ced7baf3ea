"""Truth by geometry: what followed a scene, and the answers that follow from where everybody was."""
