"""Which Paseo this is."""

from importlib.metadata import version


def paseo_version() -> str:
    """The version that makes records now."""
    return version("paseo")
