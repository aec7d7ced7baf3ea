"""What there is, as values; how it is printed is tested with the command."""

from pathlib import Path

import pytest

from paseo.data.suites.schemas import FileKind, schema
from paseo.suite.diagnosis import diagnosis
from paseo.suite.listing import (
    CrowdNumbers,
    listed_episodes,
    listed_maps,
    listed_metrics,
    listed_models,
    listed_planners,
)
from paseo.world.motion import Control


def test_planners_metrics_and_models_are_values() -> None:
    planners = {each.name: each for each in listed_planners()}
    assert planners["stop"].control is Control.VELOCITY
    assert planners["human"].control is Control.POSITION
    assert len({(each.name, each.variant) for each in listed_metrics()}) == len(listed_metrics())
    models = {each.name: each for each in listed_models({"OPENAI_API_KEY": "secret"})}
    assert models["openai/gpt-4o"].key_set is True
    assert listed_models({})[0].key_set in (False, None)


@pytest.mark.slow
def test_episodes_without_their_recording_have_no_numbers_and_it_says_why(tmp_path: Path) -> None:
    found = listed_episodes(tmp_path)
    by_name = {each.name: each for each in found.episodes}
    assert by_name["t_ETH1"].crowd == CrowdNumbers()
    assert by_name["scripted_eth_against"].crowd.people == 10
    assert by_name["t_hotel_cross"].duplicate_of == "t_hotel_follow_diag"
    assert "is not in" in str(found.missing)


def test_a_map_that_cannot_be_read_does_not_hide_the_others(tmp_path: Path) -> None:
    found = listed_maps(tmp_path)
    assert (set(found.maps), found.unreadable) == (
        {"DoubleHotel", "ETH", "HotelSmall", "Univ", "Zara"},
        (),
    )


def test_the_diagnosis_says_what_is_there_and_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "eth.csv").write_text("frame,ped_id,x_m,y_m\n0,1,0,0\n")
    found = diagnosis(tmp_path)
    recordings = {each.name: each for each in found.recordings}
    assert recordings["eth"].file == tmp_path / "eth.csv"
    assert recordings["hotel"].file is None and recordings["hotel"].can_be_fetched
    assert all(package.version for package in found.packages)
    assert {extra.name for extra in found.extras} >= {"dev", "plots", "video"}


@pytest.mark.parametrize("kind", FileKind)
def test_every_kind_of_file_has_a_schema(kind: FileKind) -> None:
    assert schema(kind) == schema(kind.value)
    assert "$defs" in schema(kind)
