"""Names into objects: what ships, comes by entry point, or lies in a file."""
