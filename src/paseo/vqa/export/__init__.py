"""Scenes and questions as other harnesses want them."""
