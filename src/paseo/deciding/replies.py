"""Replies of a model to a robot that drives: kept in the exam's store, shared by all processes."""

import os
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np

from paseo.deciding.ledger import GLANCE, Allowance, Ledger
from paseo.errors import CannotGoOn, PaseoError
from paseo.files import make_folder_of
from paseo.text import error_words, hidden, keys_in, without_keys
from paseo.vlm.failures import ModelError, ModelRefusesKey, ModelUnknown, SlowDown, TryAgain
from paseo.vlm.faults import reply_faults
from paseo.vlm.models import Prompt, Reply, Usage, VisionModel
from paseo.vlm.scripted import Scripted
from paseo.vqa.exam.estimates import request_usage
from paseo.vqa.exam.rate_limit import RateLimit
from paseo.vqa.exam.sessions import KeyOf, Request
from paseo.vqa.exam.store import Asked, ReplyStore
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import Question

VARIANT = "drive"  # of the requests of robots that drive, in the store
DIGITS = 7  # of a latency, as many as the clock charges
OPENINGS = 20  # tries to open a store that others are making at this moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A reply, and what it is kept under."""

    reply: Reply | None  # None: the model refuses this request, whoever asks
    key: str
    problem: str = ""  # why there is no reply, in words
    attempts: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingLimits:
    """How long a request is tried."""

    retries: int = 5
    timeout_s: float = 120.0


class Replies(Protocol):
    """Who answers prompts."""

    def ask(self, prompt: Prompt, questions: tuple[Question, ...]) -> Answered:
        """The reply to a prompt that asks these questions."""


class SharedReplies:
    """Asks a model once for each prompt, whatever process wants to know."""

    def __init__(
        self,
        model: VisionModel,
        *,
        reference: str,
        key: KeyOf,
        path: Path | None,
        allowance: Allowance,
        limits: AskingLimits,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._model, self._reference, self._key = model, reference, key
        self._limits, self._sleep = limits, sleep
        self._price = allowance.price
        self._store: ReplyStore | None = None
        self._ledger: Ledger | None = None
        if path is not None:
            make_folder_of(path)
            self._store = _opened(path, sleep)
            self._ledger = Ledger(path, allowance, sleep=sleep)
        self._memory: dict[str, Answered] = {}  # where there is no store
        self._keys = keys_in(os.environ)
        self._rate = RateLimit(1, rng=np.random.default_rng(0))

    def close(self) -> None:
        """Let go of the store."""
        for each in (self._store, self._ledger):
            if each is not None:
                each.close()

    def ask(self, prompt: Prompt, questions: tuple[Question, ...]) -> Answered:
        """The reply to a prompt; `CannotGoOn` where there is none to be had now."""
        key = self._key(prompt, VARIANT, 0)
        if self._store is None or self._ledger is None:
            if key not in self._memory:
                self._memory[key] = self._new(key, prompt)
            return self._memory[key]
        own = tuple(replace(each, scene=key) for each in questions)
        request = Request(key=key, variant=VARIANT, questions=own, repeat=0, prompt=prompt)
        estimate = request_usage(
            prompt, model=self._reference, questions=len(questions), method=Method.INDEPENDENT
        )
        patience = (self._limits.retries + 1) * (self._limits.timeout_s + 60.0)
        while True:
            stored = self._store.reply(request)
            if stored is not None:
                return Answered(reply=stored, key=key)
            if not self._ledger.reserve(key, estimate, for_s=patience):
                self._sleep(GLANCE)  # somebody asks the very same at this moment
                continue
            try:
                if self._store.reply(request) is None:  # else it came while we waited
                    found = self._new(key, prompt)
                    self._store.add([self._asked(request, found, estimate)])
                    if found.reply is None:
                        return found
            finally:
                self._ledger.release(key)

    def _asked(self, request: Request, found: Answered, estimate: Usage) -> Asked:
        reply, cost = found.reply, None
        if reply is not None and self._price is not None:
            cost = self._price.cost_usd(reply.usage or estimate)
        return Asked(
            request=request,
            reply=found.problem if reply is None else reply,
            attempts=found.attempts,
            time_s=time.time(),
            cost_usd=cost,
        )

    def _new(self, key: str, prompt: Prompt) -> Answered:
        """Ask, and again where that may help; who cannot answer now ends the run."""
        attempt = 0
        while True:
            attempt += 1
            begun = time.monotonic()
            try:
                reply = self._model.ask(prompt)
            except TryAgain as error:
                self._wait(error, attempt)
                continue
            except (ModelRefusesKey, ModelUnknown) as error:
                raise self._cannot(error) from error
            except ModelError as error:
                return self._refused(key, attempt, str(error))
            except PaseoError as error:
                raise self._cannot(error) from error
            except Exception as error:
                words = f"the model failed with {error_words(error)}"
                return self._refused(key, attempt, words)
            if faults := reply_faults(reply):
                return self._refused(key, attempt, faults[0])
            timed = self._timed(reply, time.monotonic() - begun)
            return Answered(reply=timed, key=key, attempts=attempt)

    def _wait(self, error: TryAgain, attempt: int) -> None:
        if attempt > self._limits.retries:
            raise self._cannot(error) from error
        pause = self._rate.pause(attempt, error.retry_after_s)
        if isinstance(error, SlowDown) and self._ledger is not None:
            self._ledger.slow_down(pause)
        self._sleep(pause)

    def _timed(self, reply: Reply, measured: float) -> Reply:
        """With how long it took, which scripts know themselves, and without keys."""
        told = reply.latency_s or isinstance(self._model, Scripted)
        said = (hidden(each, self._keys) for each in (reply.text, reply.ending, reply.model))
        text, ending, model = said
        latency = round(reply.latency_s if told else measured, DIGITS)
        return replace(reply, text=text, ending=ending, model=model, latency_s=latency)

    def _refused(self, key: str, attempts: int, words: str) -> Answered:
        problem = without_keys(words, self._keys)
        return Answered(reply=None, key=key, problem=problem, attempts=attempts)

    def _cannot(self, error: PaseoError) -> CannotGoOn:
        return CannotGoOn(
            f"{without_keys(str(error), self._keys)}. The episodes that are done are kept; go on "
            "with resume",
            parameters=(*error.parameters, "resume"),
        )


def _opened(path: Path, sleep: Callable[[float], None]) -> ReplyStore:
    """The store, which several processes may make at the same moment."""
    for _ in range(OPENINGS):
        try:
            return ReplyStore(path)
        except PaseoError as error:
            busy = isinstance(error.__cause__, sqlite3.OperationalError)
            if not busy or "locked" not in str(error.__cause__):
                raise
            sleep(GLANCE)
    return ReplyStore(path)
