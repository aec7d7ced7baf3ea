"""The pedestrian-unaware sampling planner, and checkpoints made with it."""
