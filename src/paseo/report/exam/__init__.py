"""Exams and scores as tables and a web page."""
