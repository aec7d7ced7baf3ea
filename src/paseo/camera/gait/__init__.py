"""How people's bones move: strides and footprints from where they went, joints from curves."""
