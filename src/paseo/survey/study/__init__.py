"""A study: its settings, its words, its scenes, and the folder they lie in."""
