"""What workers send back: plain bytes, held against what was asked before anybody believes them."""

from multiprocessing.connection import Connection

import msgspec

from paseo.errors import BadFile, InputError, PaseoError
from paseo.planners.choices import Scalar
from paseo.sim.simulate import described
from paseo.suite.runners.runner import Finished, Task
from paseo.suite.runs.jobs import VARIANT
from paseo.suite.runs.results import result_of
from paseo.world.motion import Control
from paseo.world.planning import MOST_NOTED, Planner, declared_looks
from paseo.world.recordfile import record_from

LARGEST = 1 << 30  # bytes of an answer


class Fault(msgspec.Struct, frozen=True, tag=True):
    """Why Paseo itself could not go on, as a sentence."""

    sentence: str
    parameters: tuple[str, ...]
    is_input: bool

    def error(self) -> PaseoError:
        """The error to raise where the answer arrives."""
        kind = InputError if self.is_input else PaseoError
        return kind(self.sentence, parameters=self.parameters)


class Driven(msgspec.Struct, frozen=True, tag=True):
    """An episode that has come to an end."""

    record: bytes  # its file
    timing: bytes  # the file beside it
    decisions: bytes = b""  # what the planner noted of them; mostly nothing


class Introduced(msgspec.Struct, frozen=True, tag=True):
    """What a planner says of itself when it is made."""

    control: Control
    parameters: dict[str, Scalar]
    looks: bool | None = None  # at pictures; None: it does not say


def introduced(planner: Planner) -> Introduced:
    """What a planner that was made says of itself."""
    made = described(planner)
    return Introduced(made.control, dict(made.parameters), declared_looks(planner))


class Answer(msgspec.Struct, frozen=True):
    """What came of an order."""

    key: str  # of the order
    outcome: Driven | Introduced | Fault


def fault_of(error: PaseoError) -> Fault:
    """An error as it travels."""
    return Fault(str(error), error.parameters, isinstance(error, InputError))


def send(pipe: Connection, answer: Answer) -> None:
    """Send an answer to the process that gave the order."""
    pipe.send_bytes(msgspec.msgpack.encode(answer))


def received(pipe: Connection) -> Answer | None:
    """The next answer; None where something else was sent.

    The other end runs a planner, which may send what it likes: nothing here is unpickled.
    """
    content = pipe.recv_bytes(LARGEST)
    try:
        return msgspec.msgpack.decode(content, type=Answer)
    except msgspec.MsgspecError:
        return None


def finished(task: Task, driven: Driven) -> Finished:
    """An answer with its result, made from the record itself; `BadFile` if it is of another task.

    So a result cannot say anything that its record does not.
    """
    record = record_from(driven.record, f"the record of {task.job.key}")
    made, wanted = record.provenance, task.provenance
    asked = task.job.episode.name, task.job.seed, wanted.planner, wanted.planner_hash
    entry = record.scenario.name.partition(VARIANT)[0]
    if (entry, record.scenario.seed, made.planner, made.planner_hash) != asked:
        raise BadFile(f"the record of {task.job.key} is of something else; run it again")
    noted = driven.decisions if len(driven.decisions) <= MOST_NOTED else b""
    result = result_of(task.job, record, driven.record)
    return Finished(result, driven.record, driven.timing, decisions=noted)
