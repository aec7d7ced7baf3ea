"""A record played back and seen from above, frame by frame."""
