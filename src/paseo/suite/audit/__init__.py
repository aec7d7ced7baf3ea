"""The audit of a model that drives: which misunderstanding of a crowd costs contacts."""
