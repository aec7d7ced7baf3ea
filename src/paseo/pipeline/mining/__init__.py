"""Scenes out of a drive: which seconds of it are worth asking about, and their files."""
