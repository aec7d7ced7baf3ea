"""An exam that is ready to be put: what was asked for, and what it will take."""
