"""What a model that drove saw, was asked, said, and what was true, at each of its decisions."""
