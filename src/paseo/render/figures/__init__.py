"""Figures for papers, by matplotlib."""
