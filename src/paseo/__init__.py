"""Paseo: a test bench for robots and models that move among people."""
