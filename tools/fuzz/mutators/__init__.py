"""Damaged files, made from good ones by chance that is passed in."""
