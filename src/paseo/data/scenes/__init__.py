"""Scenes from files: the SocialNav-SUB data set and clips of one's own."""
