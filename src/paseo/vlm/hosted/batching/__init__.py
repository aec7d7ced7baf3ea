"""The batch interfaces of the providers."""
