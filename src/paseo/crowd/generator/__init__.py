"""Generated crowds: from a recipe and a seed to a recording."""
