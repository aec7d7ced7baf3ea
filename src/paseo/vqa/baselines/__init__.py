"""Answers that take no model: rules on positions, known or read out of pictures."""
