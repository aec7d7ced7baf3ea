"""Places before the camera: floor plans with facades, floors and daylight."""
