"""Questions about scenes: asked, answered, and held against people's answers."""
