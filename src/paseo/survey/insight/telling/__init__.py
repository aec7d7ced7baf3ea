"""What was found, told: in words, in tables, in a picture, for programs."""
