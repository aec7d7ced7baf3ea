"""A study by HTTP: from consent to the end, and everything that people should not do."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from paseo.errors import BadValue
from paseo.survey.server.guarding import MOST_KNOWN, Limit, public_origin
from paseo.survey.store.people import Stage
from paseo.survey.study.settings import Codes, Way
from paseo.web import Origin
from studies import HIDDEN, Hand, answers_to, field_of, opened_visits, tiny_study

pytestmark = pytest.mark.extra("survey", "dev")

PROLIFIC = "/?PROLIFIC_PID=pid1&STUDY_ID=study1&SESSION_ID=sub1"
CODES = Codes(complete="DONE1", screened_out="OUT1", failed_checks="FAIL1")


@dataclass
class House:
    """A study that is open, and people who come to it."""

    visits: Any
    app: Any
    clock: Hand

    def browser(self, **how: Any) -> Any:
        from starlette.testclient import TestClient

        return TestClient(self.app, base_url="http://localhost", **how)


@pytest.fixture
def house(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[House]:
    from paseo.survey.server.app import Application, make_app

    settings = {"scenes_each": 2, "codes": CODES, **getattr(request, "param", {})}
    clock = Hand()
    with opened_visits(tiny_study(tmp_path / "study", **settings), clock) as visits:
        app = Application(visits=visits, origin=Origin(None, "localhost"), clock=clock, tell=print)
        yield House(visits, make_app(app), clock)


by_prolific = pytest.mark.parametrize("house", [{"way": Way.PROLIFIC}], indirect=True)
by_links = pytest.mark.parametrize("house", [{"way": Way.LINKS, "links": 3}], indirect=True)


def agreed(browser: Any, address: str = "/") -> Any:
    page = browser.get(address)
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.text))
    return browser.post("/consent", data={**hidden, "answer": "agree"})


def started(browser: Any, house: House, address: str = "/") -> Any:
    page = agreed(browser, address)
    page = browser.post("/instructions", data={"csrf": field_of(page.text, "csrf")})
    return browser.post("/check", data={"csrf": field_of(page.text, "csrf"), **right(house)})


def right(house: House) -> dict[str, str]:
    riddles = house.visits.study.texts.comprehension.riddles
    return {f"riddle_{k}": each.right for k, each in enumerate(riddles)}


def sent(browser: Any, page: Any, **changes: Any) -> Any:
    """Answer all of a page and go on."""
    form = {name: field_of(page.text, name) for name in HIDDEN}
    return browser.post("/next", data={**form, "go": "next", **answers_to(page.text), **changes})


def finished(browser: Any, page: Any, *, check: bool = True) -> Any:
    while 'action="/next"' in page.text:
        page = sent(browser, page, **answers_to(page.text, check=check))
    form = {"csrf": field_of(page.text, "csrf"), "trait_age": "25 to 34", "remark": "fine"}
    return browser.post("/ending", data=form)


def stages(house: House) -> list[Stage]:
    return [each.stage for each in house.visits.people.every()]


def stored(house: House) -> int:
    return len(house.visits.answers.every())


@by_prolific
def test_a_whole_study_ends_with_the_code_that_is_due(house: House) -> None:
    browser = house.browser()
    page = finished(browser, started(browser, house, PROLIFIC))
    assert "https://app.prolific.com/submissions/complete?cc=DONE1" in page.text
    assert stages(house) == [Stage.DONE]
    assert stored(house) == 15 + 27 + 2  # 3 + 12 for one person, 3 + 24 for two, the checks
    assert house.visits.people.identities()[1].submission == "sub1"


@by_prolific
def test_who_fails_both_checks_gets_the_code_for_that(house: House) -> None:
    browser = house.browser()
    page = finished(browser, started(browser, house, PROLIFIC), check=False)
    assert "cc=FAIL1" in page.text
    assert "DONE1" not in page.text
    assert stages(house) == [Stage.FAILED]


@by_prolific
def test_who_does_not_understand_twice_is_screened_out(house: House) -> None:
    browser = house.browser()
    page = agreed(browser, PROLIFIC)
    page = browser.post("/instructions", data={"csrf": field_of(page.text, "csrf")})
    wrong = {**right(house), "riddle_2": "the ground"}
    page = browser.post("/check", data={"csrf": field_of(page.text, "csrf"), **wrong})
    assert "Please read the instructions once more" in page.text
    page = browser.post("/check", data={"csrf": field_of(page.text, "csrf"), **wrong})
    assert "cc=OUT1" in page.text
    assert stages(house) == [Stage.SCREENED]


def test_who_does_not_agree_is_not_stored(house: House) -> None:
    browser = house.browser()
    page = browser.get("/")
    form = {"csrf": field_of(page.text, "csrf"), "answer": "refuse"}
    assert "Nothing about you was stored" in browser.post("/consent", data=form).text
    assert stages(house) == []


def test_no_code_is_in_a_page_before_the_end(house: House) -> None:
    browser = house.browser()
    page = started(browser, house)
    while 'action="/next"' in page.text:
        assert not re.search("DONE1|OUT1|FAIL1", page.text)
        page = sent(browser, page)
    for path in ("/ending", "/check", "/instructions"):  # out of turn, and without the last page
        browser.post(path, data={"csrf": "forged"})
    assert not re.search("DONE1|OUT1|FAIL1", browser.get("/study").text)
    assert stages(house) == [Stage.ENDING]


def test_a_returning_person_goes_on_where_they_were(house: House) -> None:
    browser = house.browser()
    page = started(browser, house)
    for _ in range(4):
        page = sent(browser, page)
    before = field_of(page.text, "step")
    for address in ("/", "/study", "/?x=1"):
        assert field_of(browser.get(address).text, "step") == before
    assert "checked" in browser.get("/study?step=1").text


def test_an_answer_is_stored_the_moment_it_is_given(house: House) -> None:
    browser = house.browser()
    page = started(browser, house)
    form = {name: field_of(page.text, name) for name in HIDDEN}
    form |= {"turn": "1", "on_page_s": "3.25"}
    for _ in range(2):
        answer = {"q_robot_moving_direction": ["turning left", "moving ahead"]}
        assert browser.post("/answer", data={**form, **answer}).status_code == 204
    (only,) = house.visits.answers.every()
    assert only.option == ("moving ahead", "turning left")
    assert (only.on_page, only.time_s, only.changes) == (3.25, 1000.0, 0)


def test_a_page_with_a_question_left_is_shown_again_with_the_question_marked(house: House) -> None:
    browser = house.browser()
    page = sent(browser, started(browser, house))
    left = sent(browser, page, q_person_distance_change_p1=[])
    assert field_of(left.text, "step") == field_of(page.text, "step")
    assert left.text.count("question panel missing") == 1


def test_back_is_allowed_within_a_scene_and_not_beyond_it(house: House) -> None:
    browser = house.browser()
    page = started(browser, house)
    scene = field_of(page.text, "scene")
    page = sent(browser, sent(browser, page))
    back = sent(browser, page, go="back")
    assert field_of(back.text, "step") == "1"
    while field_of(page.text, "scene") == scene:
        old = page
        page = sent(browser, page)
    before = stored(house)
    assert sent(browser, old).status_code == 409  # the scene is finished
    assert field_of(browser.get("/study?step=0").text, "scene") != scene
    assert stored(house) == before


def test_pages_cannot_be_skipped(house: House) -> None:
    browser = house.browser()
    page = started(browser, house)
    assert field_of(browser.get("/study?step=5").text, "step") == "0"
    form = {name: field_of(page.text, name) for name in HIDDEN}
    last = {**form, "step": "5", "go": "next"}
    browser.post("/next", data=last)
    assert None in house.visits.people.scenes_of(1).values()
    assert stages(house) == [Stage.SCENES]


def test_withdrawal_deletes_everything_and_ends_it(house: House) -> None:
    browser = house.browser()
    sent(browser, started(browser, house))
    page = browser.get("/withdraw")
    told = browser.post("/withdraw", data={"csrf": field_of(page.text, "csrf")})
    assert "Your answers have been deleted" in told.text
    assert stored(house) == 0
    assert "withdrawn" in browser.get("/study").text
    assert browser.get("/pictures/a/0.jpg").status_code == 404


HOSTILE = {
    "no token": {"csrf": ""},
    "another's token": {"csrf": "0" * 64},
    "an unknown choice": {"q_robot_moving_direction": "flying"},
    "a choice twice": {"q_robot_moving_direction": ["moving ahead", "moving ahead"]},
    "another scene": {"scene": "../../etc/passwd"},
    "another page": {"step": "99"},
    "a page below": {"step": "-1"},
    "digits that are none": {"step": "\u0663"},
    "a strange token": {"token": "'; DROP TABLE answers; --"},
    "no answer": {"q_robot_moving_direction": []},
}


@pytest.mark.parametrize("change", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_forged_answer_changes_nothing(house: House, change: dict[str, Any]) -> None:
    browser = house.browser()
    page = started(browser, house)
    form = {name: field_of(page.text, name) for name in HIDDEN}
    form |= {"q_robot_moving_direction": "moving ahead", **change}
    assert browser.post("/answer", data=form).status_code in (403, 409)
    assert stored(house) == 0


@pytest.mark.parametrize("seconds", ["nan", "inf", "-5", "1e400", "x", ""])
def test_a_time_that_is_none_is_not_believed(house: House, seconds: str) -> None:
    browser = house.browser()
    sent(browser, started(browser, house), on_page_s=seconds)
    assert 0.0 <= house.visits.answers.every()[0].on_page <= 86_400.0


def test_bodies_that_no_page_sends_are_refused(house: House) -> None:
    browser = house.browser()
    started(browser, house)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    for content, headers in (
        (b"a=" + b"x" * 70_000, form),
        (b"&".join(b"a=1" for _ in range(1000)), form),
        (b"a=%ff%fe", form),
        (b"\xff\xfe", form),
        (b'{"csrf": 1}', {"Content-Type": "application/json"}),
        (b"", {}),
    ):
        answer = browser.post("/answer", content=content, headers=headers)
        assert answer.status_code == 400, content[:20]
    assert stored(house) == 0


def test_a_page_of_somebody_else_can_send_nothing(house: House) -> None:
    browser = house.browser()
    page = started(browser, house)
    form = {name: field_of(page.text, name) for name in HIDDEN} | answers_to(page.text)
    for origin in ("https://evil.example", "null", "http://localhost.evil.example"):
        refused = browser.post("/answer", data=form, headers={"Origin": origin})
        assert refused.status_code == 403
    assert browser.get("/", headers={"Host": "evil.example"}).status_code == 403
    assert stored(house) == 0


def test_nobody_sees_what_is_another_persons(house: House) -> None:
    one, other = house.browser(), house.browser()
    page = sent(one, started(one, house))
    mine = {name: field_of(page.text, name) for name in HIDDEN} | answers_to(page.text)
    assert "checked" not in started(other, house).text
    assert other.post("/answer", data=mine).status_code == 403  # its token is of another session
    guessed = house.browser(cookies={"paseo_study": "A" * 32})
    for path in ("/study", "/withdraw", "/pictures/a/0.jpg"):
        assert guessed.get(path).status_code == 404


@pytest.mark.parametrize(
    "path",
    ["/pictures/../study.toml", "/pictures/a/9.jpg", "/answers.sqlite", "/%2e%2e/secret.key"],
)
def test_nothing_but_pages_and_pictures_is_served(house: House, path: str) -> None:
    browser = house.browser()
    started(browser, house)
    assert browser.get(path).status_code == 404


def test_pictures_are_only_for_who_was_given_the_scene(tmp_path: Path) -> None:
    study = tiny_study(tmp_path / "study", scenes_each=1)
    with opened_visits(study, Hand()) as visits:
        from paseo.survey.server.app import Application, make_app

        origin = Origin(None, "localhost")
        app = Application(visits=visits, origin=origin, clock=Hand(), tell=print)
        house = House(visits, make_app(app), Hand())
        browser = house.browser()
        started(browser, house)
        (mine,) = visits.people.scenes_of(1)
        other = next(scene for scene in study.scenes if scene != mine)
        assert browser.get(f"/pictures/{mine}/0.jpg").headers["content-type"] == "image/jpeg"
        assert browser.get(f"/pictures/{other}/0.jpg").status_code == 404


def test_pages_load_nothing_from_elsewhere_and_carry_no_script(house: House) -> None:
    browser = house.browser()
    page = started(browser, house)
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert page.headers["cache-control"] == "no-store"
    assert not re.search(r"<script(?! src=\"/script.js\")|\son\w+=|style=|javascript:", page.text)
    assert set(re.findall(r'(?:src|href)="([^"#]+)"', page.text)) <= {
        "/style.css", "/script.js", "/withdraw",
        *(f"/pictures/{scene}/{k}.jpg" for scene in "ab" for k in range(3)),
    }  # fmt: skip
    cookie = browser.cookies.jar
    assert all("HttpOnly" in each._rest for each in cookie)  # type: ignore[attr-defined]


def test_words_of_settings_and_of_questions_are_text_and_no_markup(tmp_path: Path) -> None:
    from paseo.survey.server.app import Application, make_app

    bad = '<script>alert("1")</script>'
    study = tiny_study(tmp_path / "study", title=bad, contact=bad)
    with opened_visits(study, Hand()) as visits:
        app = Application(visits=visits, origin=Origin(None, "localhost"), clock=Hand(), tell=print)
        page = House(visits, make_app(app), Hand()).browser().get("/")
    assert "<script>alert" not in page.text
    assert "&lt;script&gt;alert" in page.text


@by_prolific
def test_prolific_must_say_whom_it_sends(house: House) -> None:
    for address in (
        "/",
        "/?PROLIFIC_PID=a",
        PROLIFIC.replace("pid1", "<b>"),
        PROLIFIC + "&STUDY_ID=2",
    ):
        assert house.browser().get(address).status_code == 403


@by_prolific
def test_who_comes_back_by_prolific_goes_on_in_another_browser(house: House) -> None:
    browser = house.browser()
    page = sent(browser, started(browser, house, PROLIFIC))
    again = house.browser().get(PROLIFIC)
    assert field_of(again.text, "step") == field_of(page.text, "step")
    assert len(stages(house)) == 1


@by_prolific
def test_knowing_somebodys_id_is_not_enough_to_be_them(house: House) -> None:
    started(house.browser(), house, PROLIFIC)
    thief = house.browser()
    page = thief.get(PROLIFIC.replace("sub1", "sub2"))
    assert page.status_code == 403
    assert thief.get("/study").status_code == 404
    assert len(stages(house)) == 1


@by_links
def test_a_link_lets_one_person_in_and_a_guessed_one_nobody(house: House) -> None:
    link = f"/?link={house.visits.study.links[1]}"
    page = started(house.browser(), house, link)
    assert field_of(house.browser().get(link).text, "step") == field_of(page.text, "step")
    assert len(stages(house)) == 1
    for token in ("0" * 32, house.visits.study.links[1][:-1], "", "link 1"):
        assert house.browser().get(f"/?link={token}").status_code == 403


@by_links
def test_the_next_person_at_the_same_machine_does_not_go_on_for_the_one_before(
    house: House,
) -> None:
    browser, links = house.browser(), house.visits.study.links
    sent(browser, started(browser, house, f"/?link={links[0]}"))
    page = started(browser, house, f"/?link={links[1]}")
    assert "checked" not in page.text
    assert stages(house) == [Stage.SCENES, Stage.SCENES]


def test_who_finds_no_place_is_told_so_before_they_begin(tmp_path: Path) -> None:
    from paseo.survey.server.app import Application, make_app

    study = tiny_study(tmp_path / "study", per_scene=1, codes=CODES)
    with opened_visits(study, Hand()) as visits:
        app = Application(visits=visits, origin=Origin(None, "localhost"), clock=Hand(), tell=print)
        house = House(visits, make_app(app), Hand())
        late = house.browser()
        form = {"csrf": field_of(late.get("/").text, "csrf"), "answer": "agree"}
        started(house.browser(), house)
        assert "All places are taken" in house.browser().get("/").text
        assert "cc=OUT1" in late.post("/consent", data=form).text


def test_who_asks_too_often_must_wait(house: House) -> None:
    browser = house.browser()
    started(browser, house)
    codes = [browser.get("/study").status_code for _ in range(250)]
    assert codes[0] == 200
    assert codes[-1] == 429
    house.clock.now += 60
    assert browser.get("/study").status_code == 200


def test_a_limit_lets_so_many_at_once_and_so_many_in_a_second() -> None:
    clock = Hand(0.0)
    limit = Limit(3.0, 2.0, clock)
    assert [limit.allows("a") for _ in range(4)] == [True, True, True, False]
    assert limit.allows("b")
    clock.now = 1.0
    assert [limit.allows("a") for _ in range(3)] == [True, True, False]
    for number in range(MOST_KNOWN + 10):
        limit.allows(str(number))
    assert len(limit._left) == MOST_KNOWN


def test_behind_a_proxy_only_its_name_may_send_forms() -> None:
    origin = Origin("https://study.example.org", "localhost")
    assert origin.refusal("study.example.org", "https://study.example.org") is None
    assert origin.refusal("study.example.org", "http://evil.example") is not None
    assert origin.refusal("evil.example", None) is not None
    assert origin.secure


@pytest.mark.parametrize(
    "url", ["study.example.org", "ftp://a", "https://a/b", "https://u:p@a", ""]
)
def test_a_public_address_is_a_scheme_and_a_host(url: str) -> None:
    with pytest.raises(BadValue, match="public_url"):
        public_origin(url)
