"""What hosted models share: keys from the environment, and failures told as sentences."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from email.utils import parsedate_to_datetime
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from paseo.errors import BadValue
from paseo.text import SHORTEST_KEY, in_a_line, shortened
from paseo.vlm.failures import ModelError, ModelRefusesKey, ModelUnknown, SlowDown, TryAgain
from paseo.vlm.likelihoods import without_secrets
from paseo.vlm.models import Reply

LONGEST_MESSAGE = 300  # characters of a provider's own words
LONGEST_READ = 3000  # of them looked through for keys
LONGEST_WAIT_S = 3600.0
LISTING_TIMEOUT_S = 10.0
MOST_NAMES, LONGEST_NAME = 1000, 200
KEY_LIKE = re.compile(
    r"\b(?:sk|pk|key)-[\w*-]{6,}|\bAIza[\w*-]{6,}|\bBearer\s+\S+|[^\s*]{0,99}\*{3}\S*"
)
BAD_KEY = {"API_KEY_INVALID", "invalid_api_key", "authentication_error"}
NO_MODEL = {"model_not_found", "not_found_error", "NOT_FOUND"}
SPENT = {"insufficient_quota", "billing_error", "quota_per_day"}
PASSING = {408, 409}
UNREADABLE = (ValueError, RecursionError)  # what reading JSON raises
MISSHAPEN = (AttributeError, TypeError, LookupError)  # what looking into any JSON raises


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Whom we ask, and with which key; the key is never shown."""

    provider: str
    key: str = field(repr=False)
    base_url: str | None  # None: the provider's own
    key_name: str  # the variable the key came from
    url_name: str

    @property
    def place(self) -> str:
        """The provider and, where it was chosen, its address without any password in it."""
        if self.base_url is None:
            return self.provider
        address = urlsplit(self.base_url)
        return f"{self.provider} at {address.scheme}://{address.netloc.rpartition('@')[2]}"

    @property
    def address_hint(self) -> str:
        """What else may be wrong where the address was chosen."""
        return f", or check that {self.url_name} is complete" if self.base_url else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint:
    """What a provider answered in place of a reply."""

    status: int
    message: str
    codes: frozenset[str] = frozenset()  # the provider's words for the kind of failure
    wait_s: float | None = None


def open_account(
    provider: str, environment: Mapping[str, str], *, keys: tuple[str, ...], url: str, keyless: bool
) -> Account:
    """The key and address the environment names; `keyless`: an address alone will do."""
    base_url = environment.get(url, "").strip() or None
    key_name = next((name for name in keys if environment.get(name, "").strip()), keys[0])
    key = environment.get(key_name, "").strip()
    if not key and not (keyless and base_url):
        server = f", or {url} for a server that needs none" if keyless else ""
        raise ModelRefusesKey(
            f"{provider} needs a key; set {' or '.join(keys)} in the environment{server}"
        )
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ModelRefusesKey(f"{key_name} holds characters that no key has; set it again")
    if base_url and not _is_address(base_url):
        raise BadValue(f"{url} is no address; expected one such as http://localhost:8000/v1")
    return Account(provider=provider, key=key, base_url=base_url, key_name=key_name, url_name=url)


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # of the port or the brackets
        return False


def own_settings(extra: Mapping[str, object], *, taken: set[str]) -> dict[str, Any]:
    """The provider's own settings, unless one would take the place of what we send."""
    if clash := sorted(taken & set(extra)):
        raise BadValue(f"the setting '{clash[0]}' cannot be given as extra: Paseo sends it itself")
    return dict(extra)


def failure(
    account: Account, complaint: Complaint, *, model: str, known: Callable[[], list[str]]
) -> ModelError:
    """The complaint as an error; `known` is asked for the names of models when ours is unknown."""
    status, codes, place = complaint.status, complaint.codes, account.place
    said = f"({status}: {in_short(complaint.message, account.key) or 'no reason given'})"
    if codes & BAD_KEY or (status in (401, 403) and not codes & NO_MODEL):
        name = account.key_name
        return ModelRefusesKey(f"{place} does not accept the key in {name} {said}; check the key")
    if status == 404 or codes & NO_MODEL:
        names = known()
        if model in names:
            return ModelUnknown(
                f"{place} lists the model '{model}' and does not find it {said}: it may not take "
                f"such requests, or be another address's{account.address_hint}. Try another."
            )
        hint = in_short(near(model, names), account.key)
        hint = hint or f"Look its name up{account.address_hint}."
        return ModelUnknown(f"{place} has no model '{model}' {said}. {hint}")
    if 300 <= status < 400:
        return ModelError(
            f"{place} sends us elsewhere {said}, where no key and no picture is sent unasked; set "
            f"{account.url_name} to where it is"
        )
    if codes & SPENT or status == 402:
        return ModelError(f"{place} says that the quota is used up {said}; resume when it is not")
    if status == 429:
        return SlowDown(f"{place} asks to slow down {said}", retry_after_s=complaint.wait_s)
    if status in PASSING or status >= 500:
        return TryAgain(f"{place} failed {said}; this may pass", retry_after_s=complaint.wait_s)
    return ModelError(f"{place} would not answer {said}")


def too_slow(account: Account, timeout_s: float) -> TryAgain:
    """The time was up."""
    return TryAgain(f"{account.place} did not answer within {timeout_s:g} s")


def broken(account: Account, reason: BaseException) -> TryAgain:
    """The connection could not be made or broke, or what came over it could not be read."""
    deepest = reason
    while deepest.__cause__ is not None:
        deepest = deepest.__cause__
    said = in_short(str(deepest) or type(deepest).__name__, account.key)
    return TryAgain(f"no whole answer came from {account.place}: {said}")


def not_a_reply(account: Account, said: str = "") -> TryAgain:
    """Something came with status 200, but no reply."""
    words = f": {in_short(said, account.key)}" if said else ""
    return TryAgain(f"{account.place} sent no reply{words}. Wait{account.address_hint}.")


def without_key(reply: Reply, key: str) -> Reply:
    """The reply without the key, which a server may send back: replies are stored."""
    said = (reply.text, reply.ending, reply.model, reply.thoughts)
    text, ending, model, thoughts = (_hidden(key, word) for word in said)
    tokens = without_secrets(reply.tokens, (key,) if len(key) >= SHORTEST_KEY else ())
    return replace(reply, text=text, ending=ending, model=model, thoughts=thoughts, tokens=tokens)


def _hidden(key: str, text: str) -> str:
    return str(text).replace(key, "[key]") if len(key) >= SHORTEST_KEY else text


def in_short(message: str, key: str) -> str:
    """The message on one line, cut, without the key or anything like one."""
    plain = " ".join(in_a_line(message[:LONGEST_READ]).split())
    return shortened(KEY_LIKE.sub("[key]", _hidden(key, plain)), LONGEST_MESSAGE)


def near(name: str, known: list[str]) -> str:
    """What to try in place of a name that is not known; empty where nothing is known."""
    if close := get_close_matches(name, known, n=3):
        return f"Did you mean {' or '.join(repr(each) for each in close)}?"
    if known:
        return f"It has, for instance, {', '.join(known[:5])}."
    return ""


def names_in(listing: Iterable[object]) -> list[str]:
    """The names in a provider's list of models, as many as are worth looking through."""
    listed = islice(listing, MOST_NAMES)
    return [each for each in listed if isinstance(each, str) and len(each) <= LONGEST_NAME]


def complaint_of(error: Any) -> Complaint:
    """What a status error of OpenAI's or Anthropic's SDK says; the two are built alike."""
    message, codes = words_of(error.body)
    return Complaint(
        status=error.status_code,
        message=message or error.message,
        codes=codes,
        wait_s=wait_asked_for(error.response.headers),
    )


def words_of(body: object) -> tuple[str, frozenset[str]]:
    """A provider's own sentence and words for the kind of failure, wherever its body has them."""
    inner = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(inner, dict):
        return str(inner or ""), frozenset()
    codes = (inner.get(name) for name in ("code", "type", "status"))
    return str(inner.get("message") or ""), frozenset(c for c in codes if isinstance(c, str))


def wait_asked_for(headers: Mapping[str, str], *, now: datetime | None = None) -> float | None:
    """Seconds to wait by the headers of an answer: milliseconds, seconds or a date."""
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return bounded(float(milliseconds) / 1000)
        after = headers.get("retry-after", "")
        if not after:
            return None
        if after.strip()[:1].isdigit():
            return bounded(float(after))
        date = parsedate_to_datetime(after)
        return bounded((date - (now or datetime.now(UTC))).total_seconds())
    except (ValueError, TypeError):
        return None


def bounded(seconds: float) -> float | None:
    """A wait that makes sense: not negative, and an hour at most."""
    return min(max(seconds, 0.0), LONGEST_WAIT_S) if math.isfinite(seconds) else None
