"""The lie detector for crowds, and how lifelike they are."""
