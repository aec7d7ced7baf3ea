"""MPPI: sampling model-predictive control among predicted people."""
