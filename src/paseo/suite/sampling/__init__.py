"""New episodes sampled from a crowd."""
