"""Questions as data, what was answered to them, and by whom."""
