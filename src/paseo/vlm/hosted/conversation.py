"""One conversation with an SDK of OpenAI's kind; Anthropic's is built alike."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from types import ModuleType
from typing import Any

from paseo.errors import require
from paseo.vlm.failures import ModelError
from paseo.vlm.hosted import bounds
from paseo.vlm.hosted import connection as hosted
from paseo.vlm.models import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A client of the SDK, and how its failures are told."""

    sdk: ModuleType
    client: Any
    account: hosted.Account
    model: str
    timeout_s: float
    clock: Callable[[], float]

    def reply(self, send: Callable[[], Any], read: Callable[[Any, float], Reply]) -> Reply:
        """What was answered to one request; `read` is given the answer and the seconds it took."""
        started = self.clock()
        try:
            answer = send()
            return hosted.without_key(read(answer, self.clock() - started), self.account.key)
        except self.sdk.APIError as error:
            raise self._failure(error) from None  # the SDK's words may hold the key
        except hosted.UNREADABLE as error:
            raise hosted.broken(self.account, error) from None
        except hosted.MISSHAPEN:
            raise hosted.not_a_reply(self.account) from None

    def models(self, **options: Any) -> list[str]:
        """The names of the provider's models; empty where it does not tell."""
        try:
            listing = self.client.models.list(timeout=hosted.LISTING_TIMEOUT_S, **options)
            return hosted.names_in(each.id for each in listing.data)
        except (self.sdk.APIError, *hosted.UNREADABLE, *hosted.MISSHAPEN):
            return []

    def _failure(self, error: Any) -> ModelError:
        if isinstance(error, self.sdk.APIStatusError):
            complaint = hosted.complaint_of(error)
            return hosted.failure(self.account, complaint, model=self.model, known=self.models)
        if isinstance(error, self.sdk.APITimeoutError):
            return hosted.too_slow(self.account, self.timeout_s)
        return hosted.broken(self.account, error)


def converse(
    client: str,
    account: hosted.Account,
    *,
    model: str,
    timeout_s: float,
    clock: Callable[[], float] = monotonic,
) -> Conversation:
    """A conversation through the class `client` of the package that is called as the provider."""
    sdk = require(account.provider, account.provider, f"asks {account.provider} models")
    made = getattr(sdk, client)(
        api_key=account.key or "none",
        base_url=account.base_url,
        timeout=timeout_s,
        max_retries=0,  # whoever asks counts the retries
        default_headers=bounds.UNPACKED,
        http_client=sdk.DefaultHttpxClient(
            follow_redirects=False, event_hooks=bounds.event_hooks(timeout_s, clock=clock)
        ),
    )
    return Conversation(
        sdk=sdk, client=made, account=account, model=model, timeout_s=timeout_s, clock=clock
    )
