"""Damaged files through the command line: no traceback, no hang, no flood, no wrong success."""
