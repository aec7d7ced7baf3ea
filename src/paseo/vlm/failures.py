"""How a request to a model can fail; each kind is handled in its own way."""

from paseo.errors import PaseoError


class ModelError(PaseoError):
    """A request was not answered, and asking again will not help."""


class ModelRefusesKey(ModelError):
    """The key is missing or wrong: nothing else will be answered either."""


class ModelUnknown(ModelError):
    """The provider has no model of this name: nothing will be answered."""


class TryAgain(ModelError):
    """A passing failure: time-out, broken connection, overload, an error of the server."""

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s  # how long the provider asked us to wait


class SlowDown(TryAgain):
    """Too many requests at once."""
