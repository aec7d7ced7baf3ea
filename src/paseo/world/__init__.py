"""Values: poses, people, tracks, floor plans, scenarios, records."""
