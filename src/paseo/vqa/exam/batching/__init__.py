"""Exams through providers' batch interfaces: a round of questions at a time."""
