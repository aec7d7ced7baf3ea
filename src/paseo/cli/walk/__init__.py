"""Commands about drives through crowds: run, compare, draw, records, robots from outside."""
