"""An exam against a local server that takes 200 ms and 32 requests at once, beside its bound.

60 scenes with 399 people, 4,968 questions that build on each other, ten pictures with each, asked
through the real openai SDK. No way of asking is faster than the number of questions over 32, nor
than the longest chain of questions. The processor's share is set beside bare calls of the SDK with
the same payload in the same run.

Usage: python benchmarks/vqa/asking.py [--quick]
"""

import argparse
import math
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue

from openai import OpenAI

from paseo.data.scenes.socialnavsub import TIMING
from paseo.vlm.hosted.openai import OpenAIModel
from paseo.vlm.models import ModelSettings, Picture, Prompt, Usage
from paseo.vqa.exam.budget import Budget, Caps
from paseo.vqa.exam.examiner import WordedExaminer
from paseo.vqa.exam.plan import ExamOptions
from paseo.vqa.exam.running import Exam
from paseo.vqa.exam.sessions import SceneSession, groups, key_maker
from paseo.vqa.exam.store import ReplyStore
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.prompts.presentation import Presentation
from paseo.vqa.prompts.wording import paseo_wording
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import questions

SERVER = Path(__file__).parents[2] / "tests" / "support" / "vqa" / "model_servers.py"
DELAY_S, AT_ONCE = 0.2, 32
SCENES, PEOPLE, LARGEST = 60, 399, 13
SIZES = (30_000, 80_000, 200_000)  # bytes of a picture
FEW = 8  # scenes, where only the processor is of interest
BARE_CALLS = 640
MOST_SHARE, MOST_CPU_MS, MOST_RATIO = 1.3, 8.0, 2.0
SHOWN = Presentation(layout=Layout.FRONT_BEV, drawing=Drawing.PASEO, wording=paseo_wording())
EXAMINER = WordedExaminer(presentation=SHOWN, method=Method.CHAIN)


def crowd_sizes(scenes: int) -> list[int]:
    """Numbers of people from 1 to 13 that sum up to 6.65 per scene."""
    rng = random.Random(0)
    sizes = [rng.randint(1, LARGEST) for _ in range(scenes)]
    while (excess := sum(sizes) - round(scenes * PEOPLE / SCENES)) != 0:
        k = rng.randrange(scenes)
        sizes[k] = min(LARGEST, max(1, sizes[k] - (1 if excess > 0 else -1)))
    return sizes


def sessions(scenes: int, picture_bytes: int) -> Iterator[SceneSession]:
    """Scenes with ten pictures of their own each."""
    rng = random.Random(1)
    for number, people in enumerate(crowd_sizes(scenes)):
        scene = f"s{number}"
        yield SceneSession(
            scene=scene,
            questions=questions(scene, range(1, people + 1)),
            images=tuple(Picture(rng.randbytes(picture_bytes)) for _ in range(10)),
            timing=TIMING,
        )


def bound_s(scenes: int) -> tuple[int, float]:
    """The number of questions, and the least time they can take."""
    asked = [questions("s", range(1, people + 1)) for people in crowd_sizes(scenes)]
    depth = max(_depth(each) for each in asked)
    total = sum(map(len, asked))
    return total, max(math.ceil(total / AT_ONCE), depth) * DELAY_S


def _depth(asked: tuple) -> int:  # type: ignore[type-arg]
    depth: dict[str, int] = {}
    for question in asked:
        depth[question.key] = 1 + max((depth[key] for key in question.needs), default=0)
    return max(depth.values())


@contextmanager
def server() -> Iterator[str]:
    """The address of a server in a process of its own; at the end it tells what it saw."""
    words = [
        "--delay-s",
        str(DELAY_S),
        "--most-at-once",
        str(AT_ONCE),
        "--text",
        '{"answer":"yes"}',
    ]
    command = [sys.executable, str(SERVER), *words]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin and process.stdout
        yield process.stdout.readline().strip()
        process.stdin.close()
        print("  the server:", process.stdout.read().strip())


def exam(url: str, scenes: int, picture_bytes: int) -> tuple[float, float]:
    """Seconds, and milliseconds of this process per question."""
    total, _ = bound_s(scenes)
    key = {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": f"{url}/v1"}
    model = OpenAIModel("tiny-1", ModelSettings(), environment=key)
    with tempfile.TemporaryDirectory() as folder:
        store = ReplyStore(Path(folder) / "replies.sqlite")
        budget = Budget(Caps(), price=None, estimate=Usage(input_tokens=0, output_tokens=0))
        options = ExamOptions(concurrency=AT_ONCE, patience=None)
        sat = Exam(
            model,
            EXAMINER,
            store=store,
            budget=budget,
            key=key_maker(model.name, {}),
            options=options,
        )
        begin, cpu = time.perf_counter(), time.process_time()
        tally = sat.run(sessions(scenes, picture_bytes))
        took, spent = time.perf_counter() - begin, time.process_time() - cpu
        store.close()
    assert tally.answered == total, tally
    return took, spent / total * 1000


def bare_sdk(url: str, picture_bytes: int) -> float:
    """Milliseconds of this process per call when the SDK is called with ready payloads."""
    client = OpenAI(api_key="none", base_url=f"{url}/v1", max_retries=0)
    session = next(sessions(1, picture_bytes))
    first = groups(session.questions, EXAMINER.needs, together=1)[0]
    prompt: Prompt = EXAMINER.prompt(session, first, {})
    images = [{"type": "image_url", "image_url": {"url": each.data_url}} for each in prompt.images]
    content = [*images, {"type": "text", "text": prompt.text}]
    pending: SimpleQueue[int] = SimpleQueue()
    for number in range(BARE_CALLS):
        pending.put(number)

    def call() -> None:
        while True:
            try:
                pending.get_nowait()
            except Empty:
                return
            client.chat.completions.create(
                model="tiny-1",
                messages=[{"role": "user", "content": content}],  # type: ignore
            )

    threads = [threading.Thread(target=call) for _ in range(AT_ONCE)]
    cpu = time.process_time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return (time.process_time() - cpu) / BARE_CALLS * 1000


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--quick", action="store_true", help="few scenes instead of 60")
    quick = words.parse_args().quick
    os.environ.pop("OPENAI_BASE_URL", None)
    missed = 0
    for size in SIZES:
        scenes = SCENES if size == SIZES[0] and not quick else FEW
        total, bound = bound_s(scenes)
        with server() as url:
            bare = bare_sdk(url, size)
            took, cpu = exam(url, scenes, size)
        share, ratio = took / bound, cpu / bare
        print(f"{scenes} scenes, {total} questions, ten pictures of {size // 1000} kB with each:")
        print(f"  {took:.1f} s = {share:.2f} of the bound of {bound:.1f} s", end="")
        print(f", one at a time {total * DELAY_S:.0f} s")
        print(f"  processor {cpu:.2f} ms per question = {ratio:.2f} of a bare call, {bare:.2f} ms")
        if size == SIZES[0]:
            missed += share > MOST_SHARE and not quick
            missed += cpu > MOST_CPU_MS
            missed += ratio > MOST_RATIO
    print(
        f"limits at 30 kB: {MOST_SHARE} of the bound, {MOST_CPU_MS} ms, {MOST_RATIO} of a bare call"
    )
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
