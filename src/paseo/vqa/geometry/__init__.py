"""Truth by geometry: what followed a scene, and answers from where everybody was."""
