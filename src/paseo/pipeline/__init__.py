"""What a robot recorded on a drive becomes people in the world, scenes, crowds and episodes."""
