"""Tokens that keep strangers out where others can come, and pages of other machines."""

import logging
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from paseo.admission import is_same
from paseo.errors import BadFile, BadValue, InputError
from paseo.files import opened
from paseo.listening import Address, is_loopback

TOKEN = "PASEO_TOKEN"  # of the environment
SHORTEST_TOKEN = 8  # characters; what is shorter is soon guessed
LONGEST_TOKEN = 1000
LARGEST_FILE = 4096  # bytes that are read of one that holds a token
CLOSING_S = 2.0  # in which somebody who is sent away must have gone
FROM_FILE = "@"  # before the path of a file that holds a token


def token_of(given: str | None, environment: Mapping[str, str]) -> str | None:
    """The token as given, in the file that `@FILE` names, or else of the environment; None: none.

    White space around it does not count.
    """
    text = given if given is not None else environment.get(TOKEN)
    if text is None:
        return None
    token = _read(Path(text[1:])) if text.startswith(FROM_FILE) else text.strip()
    fits = SHORTEST_TOKEN <= len(token) <= LONGEST_TOKEN
    if not (fits and token.isascii() and token.isprintable() and " " not in token):
        raise BadValue(
            f"token must be one word of {SHORTEST_TOKEN} to {LONGEST_TOKEN} printable ASCII "
            f"characters, not of {len(token)} characters as given",  # and never says which
            parameters=("token",),
        )
    return token


def _read(path: Path) -> str:
    try:
        with opened(path) as stream:
            return stream.read(LARGEST_FILE).decode().strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise BadFile(
            f"{path}: no token can be read there ({reason}); choose another token",
            parameters=("token",),
        ) from error


def check_token(where: Address, token: str | None, *, parameter: str = "listen") -> None:
    """Raise where others can come and nothing keeps strangers out."""
    if token is None and not where.is_loopback:
        raise InputError(
            f"{where} can be reached from other machines, so whoever comes there needs a token; "
            f"give token, or set {TOKEN}, or make {parameter} localhost:{where.port}",
            parameters=("token", parameter),
        )


def is_token(said: str | None, token: str | None) -> bool:
    """Whether somebody who said this may come in; how long that takes tells nothing."""
    return token is None or is_same(said or "", token)


def is_local_origin(origin: str | None) -> bool:
    """Whether a page of this machine asks, or no page at all.

    Without a token, a page of the internet that is open in a browser here must not come in.
    """
    if origin is None:
        return True
    try:
        host = urlsplit(origin).hostname
    except ValueError:
        return False
    return host == "localhost" or is_loopback(host or "")


def quiet_logger() -> logging.Logger:
    """For what the other end does that means nothing; no token is ever written by it."""
    logger = logging.getLogger("paseo.remote")
    logger.setLevel(logging.CRITICAL + 1)
    return logger
