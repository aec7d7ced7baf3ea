"""Files of others into plain values, at a cost that their length tells beforehand.

The parsers are not ours, and each has texts of a few kilobytes that keep it busy for hours. What
is refused here is what no settings need: a `ValueError` says which of it, and where.
"""
