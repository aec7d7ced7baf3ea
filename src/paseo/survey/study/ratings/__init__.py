"""A study of ratings: its clips, what is asked about them, and who gets which."""
