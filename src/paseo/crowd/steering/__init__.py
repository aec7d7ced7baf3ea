"""How walking people avoid each other: models of steering and their kernels."""
