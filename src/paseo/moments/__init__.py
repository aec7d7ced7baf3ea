"""Moments of episodes as scenes that models are asked about, with what is true of them."""
