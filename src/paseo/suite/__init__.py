"""Many episodes, over processes, into a run directory."""
