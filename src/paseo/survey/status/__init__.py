"""How a study stands: how far it is, how sure its numbers are, how much more it takes."""
