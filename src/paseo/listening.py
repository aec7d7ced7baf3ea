"""Addresses to listen at: what is written HOST:PORT, who may come there, and the socket itself."""

import errno
import ipaddress
import os
import socket
from dataclasses import dataclass

from paseo.errors import BadValue, InputError

HIGHEST_PORT = 65535
BACKLOG = 512  # a whole room may come at once


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
        return bool(found) and all(map(is_loopback, found))


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


def bound_to(where: Address, socket_: socket.socket) -> Address:
    """The address with the port that the socket has."""
    return Address(where.host, socket_.getsockname()[1])


def is_loopback(host: str) -> bool:
    """Whether an address in numbers is of this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


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
