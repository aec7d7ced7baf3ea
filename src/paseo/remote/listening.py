"""Addresses to listen at: what is written HOST:PORT, who may come there, and the socket itself."""

import errno
import hmac
import ipaddress
import logging
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from paseo.errors import BadFile, BadValue, InputError

TOKEN = "PASEO_TOKEN"  # of the environment
SHORTEST_TOKEN = 8  # characters; what is shorter is soon guessed
LONGEST_TOKEN = 1000
HIGHEST_PORT = 65535
BACKLOG = 128
CLOSING_S = 2.0  # in which somebody who is sent away must have gone
FROM_FILE = "@"  # before the path of a file that holds a token


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens; port 0 is any that is free."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether nobody can come there but from this machine; a name counts as what it means."""
        found = _meanings(self.host)
        return bool(found) and all(map(_is_loopback, found))


def address(text: str, *, parameter: str = "listen") -> Address:
    """The address written as HOST:PORT, [HOST]:PORT for IPv6; `parameter` is who named it."""
    host, colon, port = text.rpartition(":")
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    clear = bare != host or ":" not in host
    numbered = port.isascii() and port.isdigit() and int(port) <= HIGHEST_PORT
    if not (colon and bare and clear and numbered) or any(each.isspace() for each in text):
        raise BadValue(
            f"{parameter} is '{text[:80]}', expected HOST:PORT such as localhost:8765, the port "
            f"being at most {HIGHEST_PORT}, or 0 for any that is free",
            parameters=(parameter,),
        )
    return Address(bare, int(port))


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
        return path.read_text().strip()
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
    if token is None:
        return True
    return hmac.compare_digest((said or "").encode(errors="replace"), token.encode())


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
    return host == "localhost" or _is_loopback(host or "")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def listener(where: Address, *, parameter: str = "listen") -> socket.socket:
    """A socket that listens at the address, closed by whoever asked for it."""
    try:
        family, _, _, _, place = socket.getaddrinfo(
            where.host, where.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as error:
        raise _refused(where, "this name is not known here", parameter) from error
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere it would let two listen at one port
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(place)
        found.listen(BACKLOG)
    except OSError as error:
        found.close()
        raise _refused(where, _problem(error), parameter) from error
    return found


def quiet_logger() -> logging.Logger:
    """For what the other end does that means nothing; no token is ever written by it."""
    logger = logging.getLogger("paseo.remote")
    logger.setLevel(logging.CRITICAL + 1)
    return logger


def bound_to(where: Address, socket_: socket.socket) -> Address:
    """The address with the port that the socket has."""
    return Address(where.host, socket_.getsockname()[1])


def _problem(error: OSError) -> str:
    return {
        errno.EADDRINUSE: "another program listens there, perhaps another paseo; stop it",
        errno.EACCES: "ports below 1024 are the system's",
        errno.EADDRNOTAVAIL: "this is no address of this machine",
    }.get(error.errno or 0, f"nobody can listen there ({error.strerror})")


def _refused(where: Address, problem: str, parameter: str) -> InputError:
    return InputError(f"{where}: {problem}; choose another {parameter}", parameters=(parameter,))


def _meanings(host: str) -> list[str]:
    """The addresses that a name means, or the one that it is; none if it means nothing here."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return [str(place[0]).partition("%")[0] for *_, place in found]
