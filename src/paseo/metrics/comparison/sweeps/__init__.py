"""Planners run at several values of one number: people's reactivity, their own latency."""
