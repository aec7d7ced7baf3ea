"""What bones do about it: joint curves, planted feet, poses."""
