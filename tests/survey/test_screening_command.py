"""`paseo survey screen`, and what an export leaves out by it."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from paseo.cli.main import main
from paseo.survey.export.exporting import export_study
from paseo.survey.screening.findings import Rule
from paseo.survey.screening.screening import Screening, screen_study
from paseo.survey.server.visiting import Visits
from paseo.survey.store.answers import Given
from paseo.survey.store.people import Identity, Stage
from paseo.survey.study.folder import Study
from paseo.survey.study.settings import SETTINGS
from paseo.survey.votes import sheets_so_far
from paseo.vqa.questions.votes import read_labels
from studies import Hand, opened_visits, take_part, tiny_study

SCENES = {f"s{number}": (1, 2) for number in range(3)}
HONEST = 6


def answer_all(visits: Visits, number: int, kind: str, *, told_s: float = 15.0) -> None:
    """Somebody who answers in earnest, in a hurry or by lot; `told_s` is what the browser says."""
    rng, truth = np.random.default_rng([7, number]), np.random.default_rng(0)
    clock = visits.clock
    assert isinstance(clock, Hand)
    person = visits.people.admit(
        f"session {number}", Identity(f"pid-{number}", "s", f"sub-{number}"), now=clock.now,
        assign=lambda _: tuple(SCENES),
    )  # fmt: skip
    assert person is not None
    visits.people.move(person.number, before=Stage.INSTRUCTIONS, after=Stage.SCENES, now=clock.now)
    with visits.db.writing():
        for steps in visits.steps(person):
            for step in steps:
                clock.now += 2.0 if kind == "hurried" else 15.0
                said = {}
                for key, choices in step.asked.items():
                    seen = int(truth.integers(len(choices.known)))
                    if kind == "random" or rng.random() < 0.2:
                        seen = int(rng.integers(len(choices.known)))
                    said[key] = (choices.known[seen],)
                if step.check:
                    said[step.check.key] = (step.check.choice,)
                given = [
                    Given(
                        scene=step.scene, question=key, option=option, on_page=told_s,
                        token=f"token-{number}",
                    )
                    for key, option in said.items()
                ]  # fmt: skip
                visits.answers.add(person.number, given, now=clock.now)
            visits.people.finish(person.number, steps[0].scene, now=clock.now)
        visits.people.move(person.number, before=Stage.SCENES, after=Stage.DONE, now=clock.now)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Six honest people, one in a hurry whose browser says otherwise, one who answers by lot."""
    made = tiny_study(tmp_path / "study", SCENES, per_scene=9, scenes_each=3)
    with opened_visits(made, Hand()) as visits:
        for number in range(HONEST):
            answer_all(visits, number, "honest")
        answer_all(visits, HONEST, "hurried", told_s=900.0)
        answer_all(visits, HONEST + 1, "random")
    return made


def by_turn(found: Screening) -> list[tuple[Rule, ...]]:
    return [each.out_by for each in found.people]


def test_what_is_stored_is_what_is_judged(study: Study) -> None:
    found = screen_study(study.folder)
    assert by_turn(found) == [(), (), (), (), (), (), (Rule.SPEED,), (Rule.AGREEMENT,)]
    honest = found.people[0]
    pages, questions = 3 * 10, 3 * (3 + 12 * 2)
    assert honest.findings[Rule.CHECKS].rests_on == 2
    assert honest.findings[Rule.SPEED].rests_on == pages
    assert honest.findings[Rule.AGREEMENT].rests_on == questions == len(honest.conduct.replies)


def test_no_browser_can_claim_more_time_than_has_passed(study: Study) -> None:
    hurried = screen_study(study.folder).people[HONEST]
    seconds = hurried.findings[Rule.SPEED].value
    assert seconds is not None and seconds <= 2.0


def test_the_settings_decide_at_any_time_and_nothing_is_deleted(study: Study) -> None:
    before = study.database.read_bytes()
    settings = study.folder / SETTINGS
    text = settings.read_text()
    assert "seconds_per_question = 2.0" in text
    settings.write_text(text.replace("seconds_per_question = 2.0", "seconds_per_question = 0"))
    assert by_turn(screen_study(study.folder))[HONEST] == ()
    settings.write_text(text)
    assert by_turn(screen_study(study.folder))[HONEST] == (Rule.SPEED,)
    assert study.database.read_bytes() == before


def test_a_study_from_before_has_the_rules_that_ship(study: Study) -> None:
    settings = study.folder / SETTINGS
    settings.write_text(settings.read_text().partition("\n# Who is left out")[0])
    assert len(screen_study(study.folder).left_out) == 2


def test_a_threshold_that_is_none_is_named(
    study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = study.folder / SETTINGS
    settings.write_text(settings.read_text().replace("alike = 0.9", "alike = 90"))
    assert main(["survey", "screen", str(study.folder)]) == 2
    assert "screening.alike" in capsys.readouterr().err


def test_the_table_tells_everybody_by_a_name_drawn_by_lot(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, reasons = tmp_path / "new" / "table.csv", tmp_path / "reasons.csv"
    words = ["survey", "screen", str(study.folder), "--csv", str(table), "--reasons", str(reasons)]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert "6 of 8 people are kept" in shown
    with opened_visits(study, Hand()) as visits:
        names = [each.name for each in visits.people.every()]
    assert all(name in shown for name in names)
    rows = list(csv.DictReader(table.open()))
    assert [row["person"] for row in rows] == names
    assert [row["left_out_by"] for row in rows][-2:] == ["speed", "agreement"]
    told = list(csv.DictReader(reasons.open()))
    assert [row["person"] for row in told] == names[-2:]
    assert all(len(row["message"]) >= 100 for row in told)
    assert "pid-" not in shown + table.read_text() + reasons.read_text()


def test_ids_are_written_only_when_asked_for_and_only_with_reasons(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["survey", "screen", str(study.folder), "--with-ids"]
    assert main(words) == 2
    assert "--reasons" in capsys.readouterr().err
    reasons = tmp_path / "reasons.csv"
    assert main([*words, "--reasons", str(reasons)]) == 0
    assert "pid-" not in capsys.readouterr().out
    told = list(csv.DictReader(reasons.open()))
    assert [row["id"] for row in told] == [f"pid-{HONEST}", f"pid-{HONEST + 1}"]
    assert [row["submission"] for row in told] == [f"sub-{HONEST}", f"sub-{HONEST + 1}"]
    assert reasons.stat().st_mode & 0o077 == 0


def test_a_program_gets_every_number_with_its_threshold(
    study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["survey", "screen", str(study.folder), "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["left_out_by"] == {"speed": 1, "agreement": 1}
    speed = content["people"][HONEST]["findings"]["speed"]
    assert (speed["limit"], speed["out"]) == (content["rules"]["seconds_per_question"], True)


def test_nobody_yet_is_told_as_such(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = tiny_study(tmp_path / "study")
    assert main(["survey", "screen", str(made.folder)]) == 0
    assert "nobody has answered anything yet" in capsys.readouterr().out


def test_who_withdrew_is_counted_and_not_shown(tmp_path: Path) -> None:
    made = tiny_study(tmp_path / "study")
    with opened_visits(made, Hand()) as visits:
        gone, _ = take_part(visits, 0)
        take_part(visits, 1)
        visits.people.withdraw(gone.number, now=2e3)
    found = screen_study(made.folder)
    assert (len(found.people), found.silent) == (1, 1)


def test_answers_that_are_on_no_page_are_too_little_to_go_on(tmp_path: Path) -> None:
    made = tiny_study(tmp_path / "study")
    with opened_visits(made, Hand()) as visits:
        person, _ = take_part(visits, 0, scenes=0)
        stray = Given(scene="gone", question="q", option=("yes",), on_page=1.0, token="a-token")
        visits.answers.add(person.number, [stray], now=1001.0)
    (only,) = screen_study(made.folder).people
    assert only.kept
    assert {finding.value for finding in only.findings.values()} == {None}


def test_an_export_leaves_out_who_is_screened_out_and_says_so(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "labels"
    assert main(["survey", "export", str(study.folder), "--out", str(out)]) == 0
    assert "2 people who are screened out, by: 1 speed, 1 agreement" in capsys.readouterr().err
    assert set(read_labels(out).people) == {HONEST}
    card = (out / "README.md").read_text()
    assert "8 people who have answered something, 2 were screened out" in card
    assert "less than 2 s per question on half of their pages: 1" in card
    assert len((out / "screening.csv").read_text().splitlines()) == 9
    with (out / "answers.csv").open() as file:
        assert len({row["person"] for row in csv.DictReader(file)}) == 8


def test_an_export_can_keep_everybody(study: Study, tmp_path: Path) -> None:
    done = export_study(study.folder, tmp_path / "all", everybody=True)
    assert (done.people, done.screened) == (8, 0)
    assert set(read_labels(tmp_path / "all").people) == {8}
    assert "kept on purpose" in (tmp_path / "all" / "README.md").read_text()


def test_votes_can_be_counted_without_some_people(study: Study) -> None:
    from paseo.survey.store.content import read_content

    content = read_content(study)
    name = content.people[0].name
    sheets = sheets_so_far(study, content, left_out={name})
    assert {len(each) for each in sheets.values()} == {7}
    assert all(name not in each for each in sheets.values())
