"""What people felt about how robots drove, held against what was measured."""
