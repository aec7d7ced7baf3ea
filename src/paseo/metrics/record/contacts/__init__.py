"""Contacts with people: whose doing they were, and what could have been done instead."""
