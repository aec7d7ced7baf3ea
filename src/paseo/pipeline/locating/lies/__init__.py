"""The lie detector of calibrations: what people in pictures say about camera and clock."""
