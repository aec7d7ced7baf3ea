"""How well answers agree with people's."""
