"""Places: floor plans, geometry on their walls, ways around them."""
