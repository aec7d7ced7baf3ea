"""A run: what it is to do, what came of it, and the folder that holds both."""
