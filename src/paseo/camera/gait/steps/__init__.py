"""Where people put their feet, and when: from where they went or go."""
