"""Who may come in at a server: what it may be called, and secrets that are compared."""

import hmac
import ipaddress
from urllib.parse import urlsplit


def is_same(said: str, expected: str) -> bool:
    """Whether two secrets are the same; how long that takes tells nothing."""
    return hmac.compare_digest(said.encode(errors="replace"), expected.encode())


def is_plain(named: str, host: str) -> bool:
    """Whether a server is called by an address or as it calls itself.

    A name that somebody else has made mean this machine is neither.
    """
    try:
        if "@" in named:
            return False
        name = urlsplit(f"//{named}").hostname or ""
        if name in ("localhost", host.lower()):
            return True
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
