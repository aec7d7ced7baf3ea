"""The camera itself: where it stands, how it projects, and what a sensor makes of an image."""
