"""Floor plans from files, and into them."""
