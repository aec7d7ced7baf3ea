"""Pictures of what happened: top views as films and figures, and exports for other viewers."""
