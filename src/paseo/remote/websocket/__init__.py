"""Paseo's own protocol: its messages, and the server and workers that speak it."""
