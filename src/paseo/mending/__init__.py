"""A page on which a person sees who was taken for whom in a drive, and corrects it."""
