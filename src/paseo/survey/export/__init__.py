"""What people said, in files that others read."""
