"""Tables and readable logs of what was computed elsewhere."""
