"""Models that look: a Prompt in, a Reply out."""
