"""Places over time: one smooth track for each person, with how sure that is."""
