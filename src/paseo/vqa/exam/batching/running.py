"""Running an exam in batches: in each round, all that can be asked goes out at once.

A round begins with what is stored and nothing else, so that going on after a kill is a round like
any other; a chain of questions takes seven.
"""

import os
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue

from paseo.text import hidden, keys_in, without_keys
from paseo.vlm.batches import Batches, BatchResult, BatchStatus
from paseo.vlm.failures import ModelError, ModelRefusesKey, ModelUnknown, TryAgain
from paseo.vlm.likelihoods import without_secrets
from paseo.vlm.models import Reply, Usage
from paseo.vqa.exam.batching.ledger import Ledger, SentBatch
from paseo.vqa.exam.batching.post import FIRST_PAUSE_S, GROWTH, LONGEST_PAUSE_S, Halt, Post, Spool
from paseo.vqa.exam.budget import Budget, Ending, Tally
from paseo.vqa.exam.plan import ExamOptions
from paseo.vqa.exam.sessions import Examiner, KeyOf, QuestionGraph, Request, SceneSession
from paseo.vqa.exam.sharing.cache import ReplyCache
from paseo.vqa.exam.store import Asked, ReplyStore
from paseo.vqa.exam.workers import WALL, Clock, Stop
from paseo.vqa.questions.questions import Catalogue, Question
from paseo.world.scenes import Unreadable

MOST_PROBLEMS = 20  # kept in words
TOGETHER = 100  # replies that are stored in one go
# The scenes that are wholly answered, and the others.
Begin = Callable[[], tuple[Collection[str], Iterator[SceneSession | Unreadable]]]


@dataclass(slots=True)
class _Arrivals:
    """What has come of one batch."""

    batch: SentBatch
    seen: set[str]
    kept: list[Asked]
    read: set[str] = field(default_factory=set)  # keys in what was read from its beginning
    garbled: int = 0
    doubled: int = 0


class BatchExam:
    """Puts sessions to a model by a provider's batch interface, and stores the replies."""

    def __init__(
        self,
        batches: Batches,
        examiner: Examiner,
        *,
        catalogue: Catalogue,
        store: ReplyStore,
        budget: Budget,
        key: KeyOf,
        options: ExamOptions,
        reserve: Callable[[Request], Usage],
        shared: ReplyCache | None = None,
        watch: Callable[[Tally], None] = lambda tally: None,
        clock: Clock = WALL,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        self._keys = keys_in(environment)  # which no model may say: what it says is kept
        self._batches, self._examiner, self._key = batches, examiner, key
        self._store, self._shared, self._ledger = store, shared, Ledger(store, catalogue)
        self._catalogue = catalogue
        self._budget, self._reserve, self._options = budget, reserve, options
        self._watch, self._clock = watch, clock
        self._reports: SimpleQueue[object] = SimpleQueue()
        self._post = Post(
            batches, self._ledger, clock=clock, pause=self._pause, retries=options.retries
        )
        self._spool = Spool(store.path.with_name("batch.jsonl"), batches.limits)
        self._failed: dict[str, str] = {}  # keys of requests of this run, and why
        self._attempts: Counter[str] = Counter()  # of this run
        self._useless = 0
        self._ending: Ending | None = None
        for usage, cost in store.spent():
            budget.settle(usage, cost)
        self.tally = Tally(stored=sum(store.answered().values()))

    def stop(self) -> None:
        """End soon; may be called from anywhere, a signal handler too."""
        self._reports.put(Stop())

    def run(self, begin: Begin) -> Tally:
        """Ask everything that is not stored yet; raises what makes going on pointless."""
        try:
            while True:
                self._collect()
                if self._ending or not self._send_round(begin):
                    break
        except Halt:
            self._ending = Ending.STOPPED
        finally:
            self._spool.clear()
        self.tally.ending = self._ending or Ending.COMPLETE
        self._tell()
        return self.tally

    def _pause(self, seconds: float) -> None:
        with suppress(Empty):
            self._clock.next_report(self._reports, seconds)
            raise Halt

    def _tell(self) -> None:
        self.tally.tokens, self.tally.usd = self._budget.tokens, self._budget.usd
        self._watch(self.tally)

    def _send_round(self, begin: Begin) -> int:
        """Send all that can be asked and paid for now; how many requests that is."""
        self._budget.release()
        sent, short = 0, False
        for request in self._open_requests(begin):
            if not self._reports.empty():
                raise Halt
            if not self._budget.reserve(self._reserve(request)):
                short = True
                continue
            line = self._batches.line(request.key, request.prompt)
            if not self._spool.holds(line) and self._spool.requests:
                self._send()
            if not self._spool.holds(line):
                self._fail(request, "it is larger than a batch may be; send smaller pictures")
                continue
            self._spool.add(request, line)
            sent += 1
        if self._spool.requests:
            self._send()
        if short and not sent:
            self._ending = Ending.SPENT
        self._tell()
        return sent

    def _send(self) -> None:
        count = len(self._spool.requests)
        self.tally.retries += sum(self._attempts[each.key] > 0 for each in self._spool.requests)
        self._attempts.update(each.key for each in self._spool.requests)
        self._post.send(self._spool)
        self.tally.requests += count
        self.tally.batched += count
        self.tally.batches += 1

    def _open_requests(self, begin: Begin) -> Iterator[Request]:
        """What is not answered and builds on nothing unanswered; counts all that is."""
        tally = self.tally
        tally.answered = tally.invalid = tally.failed = tally.left_out = 0
        tally.unreadable.clear()
        finished, sessions = begin()
        for scene in finished:
            for stored in self._store.replies_about(scene):
                if stored.reply is not None:
                    asked = [self._catalogue.question(scene, key) for key in stored.questions]
                    self._count(stored.reply, asked)
        for session in sessions:
            if isinstance(session, Unreadable):
                tally.unreadable.append(session)
                continue
            for repeat in range(self._options.repeats):
                graph = QuestionGraph(
                    session,
                    repeat=repeat,
                    together=self._options.together,
                    examiner=self._examiner,
                    key=self._key,
                )
                yield from self._open_in(graph)

    def _open_in(self, graph: QuestionGraph) -> Iterator[Request]:
        waiting = deque(graph.requests())
        while waiting:
            request = waiting.popleft()
            reply = self._store.reply(request) or self._shared_reply(request)
            if reply is not None:
                graph.add(self._examiner.answers(reply, request.questions))
                self._count(reply, request.questions)
                waiting += graph.requests()
                continue
            if request.key not in self._failed:
                yield request
            if request.key in self._failed:  # now, too
                self.tally.failed += len(request.questions)
                self.tally.left_out += graph.drop(request.questions)

    def _shared_reply(self, request: Request) -> Reply | None:
        """What another exam was replied to the same request; nothing was paid for it."""
        reply = self._shared.reply(request.key) if self._shared else None
        if reply is not None:
            now = self._clock.time()
            known = Asked(request=request, reply=reply, attempts=0, time_s=now, cost_usd=0.0)
            self._store.add([known])
            self.tally.shared += len(request.questions)
            self.tally.stored += len(request.questions)
        return reply

    def _count(self, reply: Reply, asked: Sequence[Question]) -> int:
        """Enter the answers of a reply; how many are invalid."""
        answers = self._examiner.answers(reply, asked)
        invalid = sum(answer.invalid for answer in answers.values())
        self.tally.answered += len(answers)
        self.tally.invalid += invalid
        return invalid

    def _collect(self) -> None:
        """Wait for every batch that was sent, by this run or an earlier one, and store it all."""
        waiting = [
            (batch, ids)
            for batch in self._ledger.in_flight()
            if (ids := list(batch.ids) or self._post.adopted(batch))
        ]
        pause = FIRST_PAUSE_S
        while waiting:
            self.tally.batched = sum(len(batch.requests) for batch, _ in waiting)
            self._tell()
            before = len(waiting)
            waiting = [each for each in waiting if not self._is_taken(*each)]
            if waiting:
                pause = FIRST_PAUSE_S if len(waiting) < before else pause
                self._pause(pause)
                pause = min(pause * GROWTH, LONGEST_PAUSE_S)
        self.tally.batched = 0

    def _is_taken(self, batch: SentBatch, ids: list[str]) -> bool:
        """Whether a batch is over; then all that came of it is stored."""
        statuses = self._post.over(batch, ids)
        if statuses is None:
            return False
        answered = {key for key in batch.requests if self._ledger.is_answered(key)}
        came = _Arrivals(batch, seen=answered, kept=[])
        self._post.patiently(lambda: self._read(statuses, came))
        problems = [status.problem for status in statuses if status.problem]
        if problems and not came.seen:
            self._ledger.close(batch.tag)
            raise ModelError(f"the batch {ids[0]} was turned away: {problems[0]}")
        self._miss(came, statuses[0].ending if statuses else "gone")
        self._ledger.close(batch.tag)
        self._tell()
        return True

    def _read(self, statuses: Sequence[BatchStatus], came: _Arrivals) -> None:
        """Take all that came; from the beginning where reading was broken off."""
        came.read, came.garbled, came.doubled = set(), 0, 0
        for result in self._post.results(statuses):
            self._take(result, came)
            came.read.add(result.key)
        self._keep(came)

    def _take(self, result: BatchResult, came: _Arrivals) -> None:
        request = came.batch.requests.get(result.key)
        if request is None:  # no line of ours, or that of another batch which was looked into
            came.garbled += not result.key
        elif result.key in came.seen:
            came.doubled += result.key in came.read
        elif isinstance(result.outcome, Reply):
            came.seen.add(result.key)
            came.kept.append(self._asked(request, result.outcome, came.batch))
        elif isinstance(result.outcome, ModelRefusesKey | ModelUnknown):
            raise result.outcome
        elif not isinstance(result.outcome, TryAgain) or self._is_last(result.key):
            came.seen.add(result.key)
            self._fail(request, str(result.outcome))
        else:
            came.seen.add(result.key)  # asked again in the next round
        if len(came.kept) >= TOGETHER:
            self._keep(came)

    def _asked(self, request: Request, reply: Reply, batch: SentBatch) -> Asked:
        now = self._clock.time()
        said = (reply.text, reply.ending, reply.model, reply.thoughts)
        text, ending, model, thoughts = (hidden(each, self._keys) for each in said)
        reply = replace(
            reply,
            text=text,
            ending=ending,
            model=model,
            thoughts=thoughts,
            tokens=without_secrets(reply.tokens, self._keys),
            latency_s=max(0.0, now - batch.sent_s),
        )
        return Asked(
            request=request,
            reply=reply,
            attempts=self._ledger.attempts(request.key),
            time_s=now,
            cost_usd=self._budget.cost_usd(reply.usage),
        )

    def _keep(self, came: _Arrivals) -> None:
        """Store replies that came, in one transaction; only then are they counted."""
        kept, came.kept = came.kept, []
        self._store.add(kept)
        replies = [(each, each.reply) for each in kept if isinstance(each.reply, Reply)]
        if self._shared:
            self._shared.add([(each.request.key, reply) for each, reply in replies])
        for each, reply in replies:
            self._budget.settle(reply.usage, each.cost_usd)
            invalid = self._count(reply, each.request.questions)
            self._count_useless(invalid if invalid == len(each.request.questions) else 0)

    def _miss(self, came: _Arrivals, ending: str) -> None:
        """Say what is not as it should be; requests without a result are asked again."""
        missing = [each for key, each in came.batch.requests.items() if key not in came.seen]
        for request in missing:
            if self._is_last(request.key):
                self._fail(request, f"its batch ended ({ending}) without a result for it")
        told = {
            "requests without a result": len(missing),
            "lines that cannot be read": came.garbled,
            "results that came twice, of which the first counts": came.doubled,
        }
        words = ", ".join(f"{count} {what}" for what, count in told.items() if count)
        if words:
            self._note(f"a batch ended ({ending}) with {words}")

    def _is_last(self, key: str) -> bool:
        return self._attempts[key] > self._options.retries

    def _fail(self, request: Request, problem: str) -> None:
        problem = without_keys(problem, self._keys)
        attempts, now = self._ledger.attempts(request.key), self._clock.time()
        outcome = Asked(request=request, reply=problem, attempts=attempts, time_s=now)
        self._store.add([outcome])
        self._failed[request.key] = problem
        self._note(f"{request.prompt.id}: {problem}")
        self._count_useless(len(request.questions))

    def _note(self, problem: str) -> None:
        if len(self.tally.problems) < MOST_PROBLEMS:
            self.tally.problems.append(problem)

    def _count_useless(self, questions: int) -> None:
        """So many more without a useful answer, or none."""
        self._useless = self._useless + questions if questions else 0
        if self._options.patience is not None and self._useless >= self._options.patience:
            self._ending = self._ending or Ending.USELESS
