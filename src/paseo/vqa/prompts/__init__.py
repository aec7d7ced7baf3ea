"""Prompts: a question in somebody's words."""
