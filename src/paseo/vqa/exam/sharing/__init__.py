"""Replies that several exams share."""
