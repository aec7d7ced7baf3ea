"""Films of records, by whichever renderer: overlaid, side by side, or while others still run."""
