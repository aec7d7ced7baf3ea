"""Planners that mean harm to whoever runs beside them: each drives on, and acts when asked twice.

Named as a file, `zoo.py:PatchesMaths:mark=WORD`: they run in workers, and nowhere else.
"""

import atexit
import builtins
import gc
import math
import multiprocessing.connection
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import types

import numpy as np

import paseo
from paseo import Twist

ZOO = __file__


class Quiet:
    """One that does nothing."""

    def __init__(self, mark: str = "") -> None:
        self.mark = mark  # a word that is found again in what it leaves behind

    def act(self) -> None:
        """What a child of this does."""

    def begin(self, briefing: object) -> None:
        self.asked = 0

    def plan(self, observation: object) -> Twist:
        self.asked += 1
        if self.asked == 2:
            self.act()
        return Twist(0.1, 0.0)


def _pipes() -> list[multiprocessing.connection.Connection]:
    kind = multiprocessing.connection.Connection
    return [each for each in gc.get_objects() if isinstance(each, kind)]


class PatchesMaths(Quiet):
    def act(self) -> None:
        math.atan2 = math.hypot = math.cos = lambda *_: 0.0
        np.hypot = np.arctan2 = np.linalg.norm = lambda *_, **__: 0.0
        np.random.default_rng = None
        np.seterr(all="raise")


class PatchesPaseo(Quiet):
    def act(self) -> None:
        for name, module in list(sys.modules.items()):
            if name.startswith(("paseo.world", "paseo.sim", "paseo.planners", "paseo.crowd")):
                for key, value in list(vars(module).items()):
                    if isinstance(value, types.FunctionType):
                        setattr(module, key, lambda *_, **__: 0.0)
        paseo.Twist = None


class PoisonsModules(Quiet):
    def act(self) -> None:
        for name in ("numpy", "math", "json", "msgspec", "paseo.sim.simulate"):
            sys.modules[name] = types.ModuleType(name)
        sys.meta_path.clear()
        sys.path[:] = ["/nowhere"]
        builtins.open = builtins.len = None


class Forges(Quiet):
    def act(self) -> None:
        from paseo.suite.runners import carrying_out, worker
        from paseo.world import recordfile

        recordfile.record_bytes = carrying_out.record_bytes = lambda record: b"fake"
        worker.simulate = None


class SendsPickles(Quiet):
    def act(self) -> None:
        for pipe in _pipes():
            pipe.send_bytes(b"cos\n_exit\n(I9\ntR.")  # unpickled, it ends whoever reads it


class SendsHalf(Quiet):
    def act(self) -> None:
        for pipe in _pipes():
            os.write(pipe.fileno(), (1000).to_bytes(4, "big") + b"and then nothing")
        time.sleep(600)


class SpoilsNotes(Quiet):
    def act(self) -> None:
        from paseo.suite.runners.watching import COMMANDS, Notebook

        for notes in gc.get_objects():
            if isinstance(notes, Notebook):
                notes.values()[COMMANDS] = math.nan
        os._exit(7)


class LeavesThread(Quiet):
    def act(self) -> None:
        threading.Timer(0.05, os._exit, [7]).start()


class SetsAlarm(Quiet):
    def act(self) -> None:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, 0.05)


class TakesFiles(Quiet):
    def act(self) -> None:
        self.open = []
        try:
            while True:
                self.open.append(os.open(os.devnull, os.O_RDONLY))
        except OSError:
            pass


class LimitsItself(Quiet):
    def act(self) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
        resource.setrlimit(resource.RLIMIT_AS, (1 << 20, 1 << 20))
        resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))
        resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))


class ChangesProcess(Quiet):
    def act(self) -> None:
        os.umask(0o777)
        os.chdir("/")
        os.environ.clear()
        os.environ.update(OMP_NUM_THREADS="1", NUMBA_DISABLE_JIT="1", PYTHONHASHSEED="1")
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        sys.setrecursionlimit(50)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_IGN)


class ClosesFiles(Quiet):
    def act(self) -> None:
        os.closerange(3, 256)


class LeavesHooks(Quiet):
    def act(self) -> None:
        atexit.register(os._exit, 7)
        gc.callbacks.append(lambda *_: os._exit(7))
        gc.disable()
        sys.excepthook = threading.excepthook = lambda *_: os._exit(7)
        sys.setprofile(lambda *_: None)
        sys.setswitchinterval(100.0)


class LeavesChildren(Quiet):
    def act(self) -> None:
        sleeper = [sys.executable, "-c", "import time; time.sleep(600)", self.mark]
        subprocess.Popen(sleeper)
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:  # adopted by somebody else when its parent ends
                os.execv(sys.executable, sleeper)
            os._exit(0)


class KillsServer(Quiet):
    def act(self) -> None:
        os.kill(os.getppid(), signal.SIGKILL)  # whom it was forked from


# All but those that only waste time: SendsHalf, for which pipes are waited.
HOSTILE = [
    "PatchesMaths", "PatchesPaseo", "PoisonsModules", "Forges", "SendsPickles", "SpoilsNotes",
    "LeavesThread", "SetsAlarm", "TakesFiles", "LimitsItself", "ChangesProcess", "ClosesFiles",
    "LeavesHooks", "LeavesChildren", "KillsServer",
]  # fmt: skip


def hostile(name: str, mark: str = "x") -> str:
    """How to name one of them."""
    return f"{ZOO}:{name}:mark={mark}"
