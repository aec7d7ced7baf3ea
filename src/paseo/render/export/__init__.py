"""Records for other viewers."""
