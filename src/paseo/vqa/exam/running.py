"""Running an exam: as many requests at once as answers, rate limit and budget allow."""

import math
import os
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue

import numpy as np

from paseo.errors import PaseoError
from paseo.text import error_words, hidden, keys_in, without_keys
from paseo.vlm.failures import ModelError, ModelRefusesKey, ModelUnknown, SlowDown, TryAgain
from paseo.vlm.likelihoods import without_secrets
from paseo.vlm.models import Reply, VisionModel
from paseo.vqa.exam.budget import Budget, Ending, Tally
from paseo.vqa.exam.plan import ExamOptions
from paseo.vqa.exam.rate_limit import RateLimit
from paseo.vqa.exam.sessions import (
    Examiner,
    KeyOf,
    PendingRequest,
    QuestionGraph,
    Request,
    RequestQueue,
    SceneSession,
)
from paseo.vqa.exam.sharing.cache import ReplyCache
from paseo.vqa.exam.store import Asked, ReplyStore
from paseo.vqa.exam.workers import WALL, Ahead, Arrived, Askers, Clock, Prepared, Stop
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.questions import question
from paseo.world.scenes import Unreadable

GRACE = 10.0  # seconds that requests under way get when an exam is stopped
MOST_PROBLEMS = 20  # kept in words


class Exam:
    """Puts sessions to a model and stores the replies; all but asking happens in one thread."""

    def __init__(
        self,
        model: VisionModel,
        examiner: Examiner,
        *,
        store: ReplyStore,
        budget: Budget,
        key: KeyOf,
        options: ExamOptions,
        shared: ReplyCache | None = None,
        watch: Callable[[Tally], None] = lambda tally: None,
        clock: Clock = WALL,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        self._keys = keys_in(environment)  # which no model may say: what it says is kept
        self._examiner, self._store, self._budget, self._key = examiner, store, budget, key
        self._options, self._watch, self._clock = options, watch, clock
        self._shared = shared
        rng = np.random.default_rng(options.seed)
        self._rate_limit = RateLimit(options.concurrency, per_minute=options.per_minute, rng=rng)
        self._reports: SimpleQueue[object] = SimpleQueue()
        self._askers: Askers[PendingRequest] = Askers(model, self._reports)
        self._ahead: Ahead[SceneSession | Unreadable] | None = None
        self._sessions: deque[SceneSession] = deque()  # prepared, not begun
        self._queue = RequestQueue()
        self._under_way: dict[int, PendingRequest] = {}  # by number, in the order they started
        self._last_arrival = -math.inf
        self._graphs = self._useless = 0
        self._ending: Ending | None = None
        self._until = math.inf  # how long requests under way are waited for at the end
        self._fatal: BaseException | None = None
        for usage, cost in store.spent():
            budget.settle(usage, cost)
        self.tally = Tally()

    @property
    def under_way(self) -> int:
        """How many requests are sent and not yet answered."""
        return len(self._under_way)

    def recall(self, scene: str) -> None:
        """Count a scene that is wholly answered, so that it need not be shown again."""
        for stored in self._store.replies_about(scene):
            if stored.reply is not None:
                asked = [question(scene, key) for key in stored.questions]
                answers = self._examiner.answers(stored.reply, asked)
                self.tally.stored += len(answers)
                self._count(answers.values())

    def stop(self) -> None:
        """End soon; may be called from anywhere, a signal handler too."""
        self._reports.put(Stop())

    def run(self, sessions: Iterable[SceneSession | Unreadable]) -> Tally:
        """Ask everything that is not stored yet; raises what makes going on pointless."""
        self._ahead = Ahead(sessions, self._reports)
        try:
            while self._ending is None:
                self._begin_sessions()
                self._start_requests()
                if self._is_over() or self._ending:
                    break
                self._take(self._arrived(min(self._patience_s(), self._stalls_in_s())))
                self._give_up_stalled()
            self._wind_up()
        finally:
            self._askers.dismiss()
            if self._ahead:
                self._ahead.close()
        if self._fatal:
            raise self._fatal
        self.tally.ending = self._ending or Ending.COMPLETE
        self._tell()
        return self.tally

    def _is_over(self) -> bool:
        if self._under_way:
            return False
        if len(self._queue) and not self._budget.fits(0):
            self._ending = Ending.SPENT
        return self._queue.empty and not self._sessions and self._ahead is None

    def _wind_up(self) -> None:
        """Wait for what is under way, for it is paid for; not for long once somebody is waiting."""
        while self._under_way and (left := self._until - self._clock.monotonic()) > 0:
            self._take(self._arrived(min(left, self._stalls_in_s())))
            self._give_up_stalled()
        self.tally.dropped = len(self._under_way)

    def _begin_sessions(self) -> None:
        """As many as it takes to keep everybody busy."""
        while (
            self._sessions
            and len(self._queue) + len(self._under_way) < 2 * self._rate_limit.at_once
        ):
            session = self._sessions.popleft()
            if self._ahead:
                self._ahead.more()
            for repeat in range(self._options.repeats):
                graph = QuestionGraph(
                    session,
                    repeat=repeat,
                    together=self._options.together,
                    examiner=self._examiner,
                    key=self._key,
                )
                self._graphs += 1
                self._line_up(graph, self._graphs)
            self._tell()

    def _line_up(self, graph: QuestionGraph, graph_number: int) -> None:
        """Have the open requests of a graph asked, unless a reply is stored already."""
        requests = deque(graph.requests())
        while requests:
            request = requests.popleft()
            reply = self._store.reply(request) or self._shared_reply(request)
            if reply is None:
                self._queue.add(graph, graph_number, request)
                continue
            self.tally.stored += len(request.questions)
            self._mark(graph, request, reply)
            requests += graph.requests()

    def _shared_reply(self, request: Request) -> Reply | None:
        """What another exam was replied to the same request; the exam keeps it as its own.

        No attempt was made for it, and nothing paid.
        """
        reply = self._shared.reply(request.key) if self._shared else None
        if reply is not None:
            now = self._clock.time()
            known = Asked(request=request, reply=reply, attempts=0, time_s=now, cost_usd=0.0)
            self._store.add([known])
            self.tally.shared += len(request.questions)
        return reply

    def _share(self, outcomes: Iterable[Asked]) -> None:
        if self._shared:
            told = [(o.request.key, o.reply) for o in outcomes if isinstance(o.reply, Reply)]
            self._shared.add(told)

    def _start_requests(self) -> None:
        now = self._clock.monotonic()
        self._queue.wake(now)
        while (
            len(self._queue)
            and self._rate_limit.wait_s(now, len(self._under_way)) == 0
            and self._budget.fits(len(self._under_way))
        ):
            pending = self._queue.next()
            pending.attempts, pending.started = pending.attempts + 1, now
            self._rate_limit.start(now)
            self._askers.ask(pending, pending.request.prompt, under_way=len(self._under_way))
            self._under_way[pending.number] = pending
            self.tally.requests += 1

    def _patience_s(self) -> float:
        """Seconds until there is something to do even if nothing arrives."""
        now = self._clock.monotonic()
        later = self._queue.until_next_wake_s(now)
        if not len(self._queue) or not self._budget.fits(len(self._under_way)):
            return later
        return min(later, self._rate_limit.wait_s(now, len(self._under_way)))

    def _stalls_in_s(self) -> float:
        """Seconds until the oldest request under way is given up, if nothing arrives."""
        oldest = next(iter(self._under_way.values()), None)
        if oldest is None:
            return math.inf
        # Models that answer one at a time let the others wait: only when nothing comes from
        # anybody is something wrong.
        since = max(self._last_arrival, oldest.started)
        return since + self._options.stall_s - self._clock.monotonic()

    def _give_up_stalled(self) -> None:
        """Let go of requests that neither the model nor its time-out has ended."""
        stalled: list[Arrived[PendingRequest]] = []
        while self._stalls_in_s() <= 0:
            pending = self._under_way.pop(next(iter(self._under_way)))
            stalled.append(Arrived(pending, _stalled(self._options.stall_s)))
        if stalled:
            self._askers.forget(len(stalled))
            self._take_arrived(stalled)
            self._tell()

    def _arrived(self, patience_s: float) -> list[object]:
        """Everything that is in the queue, after waiting for the first."""
        found: list[object] = []
        with suppress(Empty):
            timeout = None if math.isinf(patience_s) else max(0.0, patience_s)
            found.append(self._clock.next_report(self._reports, timeout))
            while True:
                found.append(self._reports.get_nowait())
        return found

    def _take(self, reports: list[object]) -> None:
        arrived: list[Arrived[PendingRequest]] = []
        for report in reports:
            if isinstance(report, Arrived):
                if self._under_way.pop(report.tag.number, None):  # else it was given up
                    arrived.append(report)
            elif isinstance(report, Prepared):
                self._take_prepared(report.item)
            else:
                self._end_soon()
        if arrived:
            self._last_arrival = self._clock.monotonic()
            self._take_arrived(arrived)
        self._tell()

    def _tell(self) -> None:
        self.tally.tokens, self.tally.usd = self._budget.tokens, self._budget.usd
        self.tally.at_once = self._rate_limit.at_once
        self._watch(self.tally)

    def _take_prepared(self, item: SceneSession | Unreadable | BaseException | None) -> None:
        if isinstance(item, SceneSession):
            self._sessions.append(item)
        elif isinstance(item, Unreadable):
            self.tally.unreadable.append(item)
            if self._ahead:
                self._ahead.more()
        else:
            self._ahead = None
            if item is not None:
                self._give_up(item)

    def _take_arrived(self, arrived: list[Arrived[PendingRequest]]) -> None:
        """Store first, in one transaction; what builds on a reply is asked only after that."""
        kept = [(each.tag, outcome) for each in arrived if (outcome := self._outcome(each))]
        if kept:
            self._store.add([outcome for _, outcome in kept])
            self._share(outcome for _, outcome in kept)
        for pending, outcome in kept:
            if isinstance(outcome.reply, Reply):
                self._budget.settle(outcome.reply.usage, outcome.cost_usd)
                self._mark(pending.graph, pending.request, outcome.reply, fresh=True)
                self._line_up(pending.graph, pending.graph_number)
            else:
                self._note_failure(pending, outcome.reply)

    def _outcome(self, arrived: Arrived[PendingRequest]) -> Asked | None:
        """What is to be stored; None where the request is tried again, or all is pointless."""
        reply, pending = self._final(arrived), arrived.tag
        if reply is None:
            return None
        cost = self._budget.cost_usd(reply.usage) if isinstance(reply, Reply) else None
        return Asked(
            request=pending.request,
            reply=reply,
            attempts=pending.attempts,
            time_s=self._clock.time(),
            cost_usd=cost,
        )

    def _final(self, arrived: Arrived[PendingRequest]) -> Reply | str | None:
        """The reply, or why there is none in words; None where neither is final."""
        pending, outcome = arrived.tag, arrived.outcome
        if isinstance(outcome, Reply):
            self._rate_limit.succeed()
            return self._without_keys(outcome)
        if isinstance(outcome, ModelRefusesKey | ModelUnknown):
            self._give_up(outcome)
            return None
        if isinstance(outcome, TryAgain) and pending.attempts <= self._options.retries:
            self._try_later(pending, outcome)
            return None
        if isinstance(outcome, ModelError):
            tried = f" ({pending.attempts} attempts)" if pending.attempts > 1 else ""
            return without_keys(f"{outcome}{tried}", self._keys)
        if isinstance(outcome, PaseoError):
            self._give_up(outcome)
            return None
        return without_keys(f"the model failed with {error_words(outcome)}", self._keys)

    def _without_keys(self, reply: Reply) -> Reply:
        said = (reply.text, reply.ending, reply.model, reply.thoughts)
        text, ending, model, thoughts = (hidden(each, self._keys) for each in said)
        tokens = without_secrets(reply.tokens, self._keys)
        return replace(
            reply, text=text, ending=ending, model=model, thoughts=thoughts, tokens=tokens
        )

    def _try_later(self, pending: PendingRequest, error: TryAgain) -> None:
        now = self._clock.monotonic()
        pause = self._rate_limit.pause(pending.attempts, error.retry_after_s)
        if isinstance(error, SlowDown):
            self._rate_limit.slow_down(now, pause, started=pending.started)
        self._queue.add_later(pending, now + pause)
        self.tally.retries += 1

    def _mark(
        self, graph: QuestionGraph, request: Request, reply: Reply, *, fresh: bool = False
    ) -> None:
        answers = self._examiner.answers(reply, request.questions)
        graph.add(answers)
        invalid = self._count(answers.values())
        if fresh:
            self._count_useless(invalid if invalid == len(answers) else 0)

    def _count(self, answers: Collection[Answer]) -> int:
        """Enter answers; how many of them are invalid."""
        invalid = sum(answer.invalid for answer in answers)
        self.tally.answered += len(answers)
        self.tally.invalid += invalid
        return invalid

    def _note_failure(self, pending: PendingRequest, problem: str) -> None:
        self.tally.failed += len(pending.request.questions)
        self.tally.left_out += pending.graph.drop(pending.request.questions)
        if len(self.tally.problems) < MOST_PROBLEMS:
            self.tally.problems.append(f"{pending.request.prompt.id}: {problem}")
        self._count_useless(len(pending.request.questions))

    def _count_useless(self, questions: int) -> None:
        """So many more without a useful answer, or none."""
        self._useless = self._useless + questions if questions else 0
        if self._options.patience is not None and self._useless >= self._options.patience:
            self._ending = self._ending or Ending.USELESS

    def _give_up(self, error: BaseException) -> None:
        self._fatal = self._fatal or error
        self._end_soon()

    def _end_soon(self) -> None:
        self._ending = self._ending or Ending.STOPPED
        self._until = min(self._until, self._clock.monotonic() + GRACE)


def _stalled(seconds: float) -> ModelError:
    return ModelError(
        f"given up: nothing came from the model within {seconds:g} s; where it needs longer, "
        "raise timeout_s",
        parameters=["timeout_s"],
    )
