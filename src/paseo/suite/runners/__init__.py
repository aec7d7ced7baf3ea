"""How jobs are carried out: worker processes that survive a planner's faults."""
