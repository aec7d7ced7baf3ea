"""People drive in a real browser: with keys and with a finger, in two tabs, and after a break."""

import asyncio
import json
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from browsing import DESK, PHONE
from paseo.cli.main import main
from paseo.listening import Address, listener
from paseo.planners.choices import PlannerChoice
from paseo.remote.play.drives import Drives
from paseo.remote.play.inputs import Device, commands, read_inputs
from paseo.remote.play.player import WallPace
from paseo.remote.play.playing import door_of, serving
from paseo.remote.play.server import Server
from paseo.suite.rerunning import rerun
from paseo.suite.runs.planning import RunOptions, plan_run
from paseo.world.recordfile import load_record
from paseo.world.records import Record
from runs import suite

pytestmark = pytest.mark.browser

KEYS = {0: ["ArrowRight"], 1: ["ArrowRight", "KeyW"], -1: ["ArrowRight", "KeyS"]}
NOW = "() => ({phase: drive.phase, pose: drive.live?.pose, goal: drive.live?.scene.goal})"


class TripledPace(WallPace):
    """A clock that runs three times as fast."""

    def now(self) -> float:
        return 3.0 * super().now()

    async def until(self, moment: float) -> None:
        await asyncio.sleep(max(0.0, moment - self.now()) / 3.0)


@dataclass(frozen=True)
class Served:
    """Where the page is, and where the drives go."""

    link: str
    folder: Path

    def record(self, number: int = 1) -> Path:
        return next((self.folder / f"round-{number}" / "records").glob("*.npz"))


@contextmanager
def served(folder: Path, pace: WallPace) -> Iterator[Served]:
    """One episode of three metres, past somebody who crosses."""
    content = json.loads(suite(folder).read_text())
    first = {**content["episodes"][0], "goal": {"x_m": 5.0, "y_m": 3.0}, "time_limit_s": 20.0}
    path = suite(folder, episodes=[first])
    plan = plan_run(path, PlannerChoice("person"), RunOptions(data=folder))
    loop, ready = asyncio.new_event_loop(), threading.Event()
    with Drives(folder / "out", plan) as drives, listener(Address("localhost", 0)) as bound:
        server = Server(entries=plan.episodes, drives=drives, tell=print, pace=pace, countdown=0.5)
        door = door_of(plan, "localhost", None)
        task = loop.create_task(serving(server, door, bound, ready.set))
        thread = threading.Thread(
            target=lambda: loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
        )
        thread.start()
        ready.wait()
        try:
            yield Served(f"http://localhost:{bound.getsockname()[1]}/", drives.folder)
        finally:
            loop.call_soon_threadsafe(task.cancel)
            thread.join()
            loop.close()


@contextmanager
def opened(browser: Browser, served: Served, **how: Any) -> Iterator[Page]:
    """A page that complains of nothing and asks nobody else for anything."""
    complaints: list[str] = []
    page = browser.new_page(**{"viewport": DESK, **how})
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: complaints.append(request.url))
    page.goto(served.link)
    awaited(page, "ready")
    yield page
    assert complaints == [served.link]
    page.close()


def awaited(page: Page, phase: str) -> None:
    for _ in range(3000):
        if page.evaluate("() => drive.phase") == phase:
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"the page is not {phase}")


def steered(page: Page, steer: Callable[[float], None]) -> None:
    """Tell `steer` all the time in which direction the goal is, until the drive is over."""
    awaited(page, "driving")
    while (now := page.evaluate(NOW))["phase"] == "driving":
        (x, y, _), goal = now["pose"], now["goal"]
        steer(math.atan2(goal[1] - y, goal[0] - x))
        page.wait_for_timeout(20)
    awaited(page, "over")


class Keyboard:
    """Holds the keys of one of three directions."""

    def __init__(self, page: Page) -> None:
        self._page, self._held = page, [""][1:]

    def __call__(self, way: float) -> None:
        wanted = KEYS[round(max(-1.0, min(1.0, way / (math.pi / 4))))]
        for key in set(self._held) - set(wanted):
            self._page.keyboard.up(key)
        for key in set(wanted) - set(self._held):
            self._page.keyboard.down(key)
        self._held = wanted


def check_repeats(file: Path) -> Record:
    """A record is repeated byte for byte, and its commands follow from what was pressed."""
    record = load_record(file)
    assert rerun(file).is_identical
    again = commands(record.scenario, read_inputs(file), len(record.commands))
    assert [[each.forward, each.turn] for each in again] == record.commands[:, :2].tolist()
    return record


def test_keys_drive_the_robot_to_its_goal_and_the_record_is_like_any_other(
    browser: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served(tmp_path, TripledPace()) as place, opened(browser, place) as page:
        page.keyboard.press("Space")
        steered(page, Keyboard(page))
        expect(page.locator("#verdict")).to_have_text("Reached goal")
        expect(page.locator("#others li")).to_have_count(1)
        assert check_repeats(place.record()).is_success
        assert {each.by for each in read_inputs(place.record())} <= {Device.KEYS, Device.NOTHING}
        page.keyboard.press("r")
        awaited(page, "ready")
    capsys.readouterr()
    assert main(["compare", str(place.record().parents[1])]) == 0
    assert "person" in capsys.readouterr().out


@pytest.mark.slow
def test_time_in_the_world_never_runs_ahead_of_the_wall(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, WallPace()) as place, opened(browser, place) as page:
        page.keyboard.press("Space")
        awaited(page, "driving")
        began = time.monotonic()
        steered(page, Keyboard(page))
        took = time.monotonic() - began
        # On a busy machine it falls behind; that it keeps pace is tested with a clock passed in.
        assert took > float(load_record(place.record()).times[-1]) - 0.5


def test_a_finger_drives_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
    with served(tmp_path, TripledPace()) as place, opened(browser, place, **phone) as page:
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        assert wide == PHONE["width"]  # nothing hangs over the edge
        touch, box = page.context.new_cdp_session(page), page.locator("#view").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.7

        def finger(kind: str, *at: float) -> None:
            points = [dict(zip("xy", at, strict=True))] if at else []
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        page.locator("#start").tap()
        awaited(page, "driving")
        finger("touchStart", x, y)
        expect(page.locator("#stick")).to_be_visible()
        steered(
            page, lambda way: finger("touchMove", x + 55 * math.cos(way), y - 55 * math.sin(way))
        )
        finger("touchEnd")
        expect(page.locator("#again")).to_be_in_viewport()
        assert check_repeats(place.record()).is_success
        assert Device.TOUCH in {each.by for each in read_inputs(place.record())}


@pytest.mark.slow
def test_a_mouse_points_to_where_the_robot_goes(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, TripledPace()) as place, opened(browser, place) as page:
        page.locator("#start").click()
        awaited(page, "driving")
        box = page.locator("#view").bounding_box()
        assert box is not None
        # The room is ten metres wide, and as high as the canvas but for the margin around it.
        metre = box["height"] / (10.0 + 2 * 0.6)
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 + 2 * metre)
        page.mouse.down()
        awaited(page, "over")
        page.mouse.up()
        assert check_repeats(place.record()).is_success


@pytest.mark.slow
def test_a_gamepad_starts_and_drives(browser: Browser, tmp_path: Path) -> None:
    pad = "{axes: [1, 0], buttons: [{pressed: performance.now() % 200 < 100}]}"
    with served(tmp_path, TripledPace()) as place, browser.new_context(viewport=DESK) as context:
        context.add_init_script(f"navigator.getGamepads = () => [null, {pad}]")
        page = context.new_page()
        page.goto(place.link)
        awaited(page, "driving")
        awaited(page, "over")
        page.close()
        assert check_repeats(place.record()).is_success
        assert {each.by for each in read_inputs(place.record())} == {Device.GAMEPAD}


@pytest.mark.slow
def test_a_page_that_loses_the_keyboard_lets_go(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, TripledPace()) as place, opened(browser, place) as page:
        page.keyboard.press("Space")
        page.keyboard.down("ArrowRight")
        awaited(page, "driving")
        while page.evaluate("() => drive.live.speed") < 0.3:
            page.wait_for_timeout(5)
        page.evaluate("() => window.dispatchEvent(new Event('blur'))")
        while page.evaluate("() => drive.live.speed") > 0.0:
            page.wait_for_timeout(20)
        page.keyboard.press("Escape")
        awaited(page, "over")
        expect(page.locator("#verdict")).to_have_text("Given up")
        assert "gave up" in check_repeats(place.record()).reason


@pytest.mark.slow
def test_two_tabs_are_two_people(browser: Browser, tmp_path: Path) -> None:
    with (
        served(tmp_path, TripledPace()) as place,
        opened(browser, place) as one,
        opened(browser, place) as other,
    ):
        for page in (one, other):
            page.keyboard.press("Space")
            page.keyboard.down("ArrowRight")
        for page in (one, other):
            awaited(page, "over")
            expect(page.locator("#verdict")).to_have_text("Reached goal")
        for number in (1, 2):
            assert check_repeats(place.record(number)).is_success


@pytest.mark.slow
def test_a_page_that_was_cut_off_goes_on_with_the_same_drive(
    browser: Browser, tmp_path: Path
) -> None:
    routes: list[WebSocketRoute] = []

    def through(route: WebSocketRoute) -> None:
        routes.append(route)
        route.connect_to_server()

    with served(tmp_path, TripledPace()) as place, browser.new_context(viewport=DESK) as context:
        page = context.new_page()
        page.route_web_socket("**/drive?*", through)
        page.goto(place.link)
        awaited(page, "ready")
        page.keyboard.press("Space")
        page.keyboard.down("ArrowRight")
        awaited(page, "driving")
        routes[0].close(code=1001)
        awaited(page, "over")
        expect(page.locator("#verdict")).to_have_text("Reached goal")
        assert len(routes) == 2
        assert check_repeats(place.record()).is_success
