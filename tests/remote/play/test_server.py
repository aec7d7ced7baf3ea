"""People drive over WebSockets, a clock that runs twenty times as fast being on the wall."""

import asyncio
import json
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from paseo.errors import InputError
from paseo.listening import Address, listener
from paseo.planners.choices import PlannerChoice
from paseo.remote.play import server as serving_module
from paseo.remote.play.drives import Drives
from paseo.remote.play.inputs import commands, read_inputs
from paseo.remote.play.playing import door_of, serving
from paseo.remote.play.server import Server
from paseo.suite.measuring import compare_runs
from paseo.suite.rerunning import rerun
from paseo.suite.runs.planning import RunOptions, plan_run
from paseo.world.recordfile import load_record
from paseo.world.records import Outcome
from runs import suite

Told = dict[str, Any]


class QuickPace:
    """A clock that runs twenty times as fast."""

    def now(self) -> float:
        return 20.0 * time.monotonic()

    async def until(self, moment: float) -> None:
        await asyncio.sleep(max(0.0, moment - self.now()) / 20.0)


class Page:
    """A page as the server sees it."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection, self.number = connection, 0

    async def say(self, kind: str, **content: object) -> None:
        await self.connection.send(json.dumps({"type": kind, **content}))

    async def hear(self, kind: str) -> Told:
        async with asyncio.timeout(20):
            while True:
                told: Told = json.loads(await self.connection.recv())
                if told["type"] == kind:
                    return told

    async def press(self, x: float, y: float, by: str = "keys") -> None:
        self.number += 1
        await self.say("press", number=self.number, by=by, x=x, y=y)

    async def steer(self, goal: list[float]) -> Told:
        """Drive to the goal, swaying a little; the score."""
        while True:
            told: Told = json.loads(await self.connection.recv())
            if told["type"] == "score":
                return told
            if told["type"] == "state":
                x, y, _ = told["pose"]
                way = math.atan2(goal[1] - y, goal[0] - x) + 0.3 * math.sin(told["step"] / 7.0)
                await self.press(math.cos(way), math.sin(way))


@dataclass
class Place:
    """A server, and what it told."""

    folder: Path
    port: int
    server: Server
    news: list[str] = field(default_factory=list)

    @asynccontextmanager
    async def page(self, **query: str) -> AsyncIterator[Page]:
        words = "&".join(f"{key}={value}" for key, value in query.items())
        async with connect(f"ws://localhost:{self.port}/drive?{words}") as connection:
            yield Page(connection)

    def record(self, number: int = 1, name: str = "one") -> Path:
        return next((self.folder / f"round-{number}" / "records").glob(f"{name}--*.npz"))


def played(folder: Path, act: Callable[[Place], Awaitable[None]], **changes: Any) -> Place:
    """Do something with a server that runs meanwhile."""
    folder.mkdir(exist_ok=True)
    episodes = {"time_limit_s": 12.0}
    content = json.loads(suite(folder).read_text())
    content["episodes"] = [{**each, **episodes} for each in content["episodes"]]
    (folder / "suite.json").write_text(json.dumps(content))
    plan = plan_run(folder / "suite.json", PlannerChoice("person"), RunOptions(data=folder))

    async def both() -> Place:
        with Drives(folder / "out", plan) as drives, listener(Address("localhost", 0)) as bound:
            news: list[str] = []
            server = Server(
                entries=plan.episodes, drives=drives, tell=news.append, pace=QuickPace(), **changes
            )
            door = door_of(plan, "localhost", None)
            task = asyncio.create_task(serving(server, door, bound, lambda: None))
            place = Place(folder / "out", bound.getsockname()[1], server, news)
            try:
                await act(place)
            finally:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            return place

    return asyncio.run(both())


def test_a_drive_is_an_ordinary_record_that_reruns_and_follows_from_its_inputs(
    tmp_path: Path,
) -> None:
    async def act(place: Place) -> None:
        async with place.page() as page:
            assert (await page.hear("welcome"))["episodes"] == ["one", "two", "three"]
            scene = await page.hear("scene")
            assert (scene["title"], scene["time_limit"]) == ("one", 12.0)
            await page.say("start")
            assert (await page.hear("countdown"))["seconds"] == 3.0
            score = await page.steer(scene["goal"])
            assert (score["verdict"], score["words"]) == ("success", "reached goal")
            assert [each["this"] for each in score["others"]] == [True]

    place = played(tmp_path, act)
    record = load_record(place.record())
    assert record.outcome is Outcome.REACHED_GOAL
    assert record.provenance.planner == "person"
    assert rerun(place.record()).is_identical
    again = [(c.forward, c.turn) for c in commands(record.scenario, *_pressed(place.record()))]
    assert np.array(again).tobytes() == record.commands[:, :2].tobytes()
    pressed = read_inputs(place.record())
    assert len({(each.x, each.y) for each in pressed}) > 1
    for each in pressed:  # by the clock on the wall, which the world never runs ahead of
        assert each.ms >= 50.0 * (each.step - 1)
    rows = [each.row.planner for each in compare_runs(place.folder / "round-1").summaries]
    assert rows == ["person"]


def _pressed(record: Path) -> tuple[Any, int]:
    return read_inputs(record), len(load_record(record).commands)


def test_another_drive_is_in_another_round_and_both_can_be_compared(tmp_path: Path) -> None:
    async def act(place: Place) -> None:
        async with place.page() as page:
            for others in (1, 2):
                scene = await page.hear("scene")
                await page.say("start")
                score = await page.steer(scene["goal"])
                assert len(score["others"]) == others
                await page.say("choose", episode=0)
            await page.say("choose", episode=2)
            while (await page.hear("scene"))["title"] != "three":
                pass

    place = played(tmp_path, act)
    rounds = place.server.drives.rounds
    assert [each.name for each in rounds] == ["round-1", "round-2"]
    (row,) = compare_runs(rounds).summaries
    assert (row.episodes, row.seeds) == (2, 2)
    assert (rounds[0] / "results.csv").read_text().count("\n") == 2
    with Drives(place.folder, place.server.drives._plan) as again:
        assert len(again.results) == 2


def test_two_people_drive_at_once_each_their_own(tmp_path: Path) -> None:
    async def one(place: Place, episode: int, scores: list[Told]) -> None:
        async with place.page() as page:
            await page.hear("scene")
            await page.say("choose", episode=episode)
            scene = await page.hear("scene")
            await page.say("start")
            scores.append(await page.steer(scene["goal"]))

    async def act(place: Place) -> None:
        scores: list[Told] = []
        await asyncio.gather(*(one(place, episode, scores) for episode in (0, 0, 2)))
        assert all("reached the goal" in each["reason"] for each in scores)

    place = played(tmp_path, act)
    assert len(place.server.drives.results) == 3
    for number, name in ((1, "one"), (2, "one"), (1, "three")):
        assert rerun(place.record(number, name)).is_identical


def test_who_gives_up_before_the_start_has_driven_nothing_and_after_it_has_failed(
    tmp_path: Path,
) -> None:
    async def act(place: Place) -> None:
        async with place.page() as page:
            await page.hear("scene")
            await page.say("start")
            await page.hear("countdown")
            await page.say("leave")
            await page.hear("scene")
            assert place.server.drives.results == ()
            await page.say("start")
            await page.hear("state")
            await page.say("leave")
            score = await page.hear("score")
            assert score["verdict"] == "failed"
            assert score["reason"].startswith("the person gave up after ")

    place = played(tmp_path, act)
    assert rerun(place.record()).is_identical


def test_a_page_that_is_cut_off_lets_go_and_may_come_back(tmp_path: Path) -> None:
    async def act(place: Place) -> None:
        async with place.page() as page:
            name = (await page.hear("welcome"))["player"]
            scene = await page.hear("scene")
            await page.say("start")
            await page.press(1.0, 0.0)
            while (await page.hear("state"))["speed"] < 1.0:
                pass
        async with place.page(player=name) as page:
            assert (await page.hear("welcome"))["player"] == name
            assert (await page.hear("scene"))["drive"] == scene["drive"]
            while (await page.hear("state"))["speed"] > 0.0:
                pass
            assert (await page.steer(scene["goal"]))["verdict"] == "success"

    place = played(tmp_path, act, patience=20.0)
    assert rerun(place.record()).is_identical
    assert "nothing" in {each.by for each in read_inputs(place.record())}


def test_a_page_that_does_not_come_back_has_failed_and_others_go_on(tmp_path: Path) -> None:
    async def act(place: Place) -> None:
        async with place.page() as other:
            scene = await other.hear("scene")
            async with place.page() as page:
                await page.hear("scene")
                await page.say("start")
                await page.hear("state")
            await other.say("start")
            assert (await other.steer(scene["goal"]))["verdict"] == "success"
            async with asyncio.timeout(20):
                while len(place.server.drives.results) < 2:
                    await asyncio.sleep(0.01)

    place = played(tmp_path, act)
    lost = load_record(place.record())
    assert (lost.outcome, lost.lost) == (Outcome.PLANNER_FAILED, True)
    assert lost.reason.startswith("the page was cut off for 5 s, after ")
    assert rerun(place.record()).is_identical
    assert load_record(place.record(2)).is_success


def test_rubbish_is_told_and_who_sends_too_much_of_it_is_shown_the_door(tmp_path: Path) -> None:
    rubbish = ['{"type": "start"', "[]", '{"type": "choose", "episode": 3}', "\N{SNOWMAN}",
               '{"type": "press", "number": 1, "by": "keys", "x": 7, "y": 0}',
               '{"type": "press", "number": 1, "by": "foot", "x": 0, "y": 0}']  # fmt: skip

    async def act(place: Place) -> None:
        async with place.page() as page:
            await page.hear("scene")
            for text in rubbish:
                await page.connection.send(text)
            await page.say("start")
            await page.hear("state")  # nobody minds
            with pytest.raises(ConnectionClosed, match="11 messages that cannot be used"):
                while True:
                    await page.connection.send(b"\xff\x00")
                    await page.connection.recv()

    news = played(tmp_path, act).news
    assert "episode 3 is chosen, expected one of 3" in news[2]
    assert "keys is at (7, 0), expected at most 1" in news[4]


def test_too_many_and_too_large_messages_end_a_connection(tmp_path: Path) -> None:
    async def act(place: Place) -> None:
        async with place.page() as page:
            with pytest.raises(ConnectionClosed, match="more than 400 messages in a second"):
                while True:
                    await page.press(0.0, 0.0)
                    await asyncio.sleep(0)
        async with place.page() as page:
            with pytest.raises(ConnectionClosed, match="1009"):
                await page.say("start", words="x" * 2000)
                while True:
                    await page.connection.recv()

    class Still(QuickPace):
        def now(self) -> float:
            return time.monotonic() / 1000.0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QuickPace, "now", Still.now)
        played(tmp_path, act)


def test_only_so_many_drive_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving_module, "MOST_PLAYERS", 1)

    async def act(place: Place) -> None:
        async with place.page() as first:
            await first.hear("scene")
            async with place.page() as second:
                with pytest.raises(ConnectionClosed, match="1 people drive here already"):
                    await second.connection.recv()

    played(tmp_path, act)


def test_the_page_of_this_server_may_drive_and_one_of_somebody_else_may_not(
    tmp_path: Path,
) -> None:
    async def act(place: Place) -> None:
        where, port = f"ws://localhost:{place.port}/drive", place.port
        with pytest.raises(InvalidStatus, match="403"):
            async with connect(where, additional_headers={"Origin": "http://evil.example"}):
                pass
        ours = {"Origin": f"http://localhost:{port}"}
        async with connect(where, additional_headers=ours) as connection:
            await Page(connection).hear("welcome")

    played(tmp_path, act)


def test_a_folder_with_drives_of_something_else_is_left_alone(tmp_path: Path) -> None:
    async def act(place: Place) -> None:
        async with place.page() as page:
            scene = await page.hear("scene")
            for _ in range(20):  # somebody is impatient
                await page.say("start")
            await page.steer(scene["goal"])

    place = played(tmp_path, act)
    assert len(place.server.drives.results) == 1
    plan = plan_run("scripted-10", PlannerChoice("person"), RunOptions())
    with (
        pytest.raises(InputError, match="holds drives of something else"),
        Drives(place.folder, plan),
    ):
        pass
