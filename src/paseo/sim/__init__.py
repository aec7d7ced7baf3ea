"""The only place where time passes."""
