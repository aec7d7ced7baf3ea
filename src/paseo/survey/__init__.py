"""People answer questions about scenes, in a browser."""
