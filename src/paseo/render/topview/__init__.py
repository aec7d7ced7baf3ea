"""The renderer that looks from above."""
