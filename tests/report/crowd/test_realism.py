import json

import pytest

from paseo.crowd_check.real_crowds import RECORDED, Likeness, likeness, shipped_real_crowds
from paseo.crowd_check.realism import STATISTICS, Profile, crowd_profile
from paseo.report.crowd.realism import nearest_place, realism_json, realism_text
from walkers import corridor_crowd
from worlds import walk


def likenesses(parts: list[Profile], *places: str) -> list[Likeness]:
    real_crowds = shipped_real_crowds()
    return [likeness(parts, real_crowds.place(name), real_crowds.bars) for name in places]


@pytest.fixture(scope="module")
def corridor() -> Profile:
    return crowd_profile(corridor_crowd(60).tracks)  # 30 pairs, one every 3 s


def row(text: str, words: str) -> list[str]:
    """The cells of the first row that begins with these words, after them."""
    return next(line[len(words) :].split() for line in text.splitlines() if line.startswith(words))


def test_a_row_tells_crowd_place_distance_bar_aim_and_verdict(corridor: Profile) -> None:
    text = realism_text("corridor", [corridor], likenesses([corridor], "hotel"))
    assert text.startswith("corridor: 60 people, ")
    assert "beside hotel" in text
    assert "approximate, by shipped percentiles" in text
    # Nobody stands in the corridor; in hotel 0.252 of the time somebody does.
    assert row(text, "share of time standing") == [
        "0.000", "0.252", "0.252", "0.145", "0.072", "beyond",
    ]  # fmt: skip
    assert row(text, "share of people in groups")[0] == "1.000"
    for each in STATISTICS:
        assert each.words in text
    assert max(map(len, text.splitlines())) <= 100


def test_short_crowds_are_shown_beside_windows_of_60_seconds() -> None:
    part = crowd_profile(corridor_crowd(60).tracks, window=(0.0, 60.0))
    text = realism_text("corridor", [part], likenesses([part], "hotel"))
    assert "60 s of hotel" in text
    assert row(text, "share of time standing")[-4:] == ["0.053", "to", "0.391", "no"]
    assert row(text, "path curvature")[-1] == "no"


def test_episodes_inside_the_windows_are_counted() -> None:
    tracks = corridor_crowd(60).tracks
    parts = [crowd_profile(tracks, window=(t, t + 20.0)) for t in (0.0, 20.0, 40.0)]
    text = realism_text("corridor", parts, likenesses(parts, "eth"))
    assert "60.0 s in 3 episodes" in text
    assert row(text, "share of time standing")[-3:] == ["3", "of", "3"]
    assert row(text, "share of people in groups")[-3:] == ["0", "of", "3"]


def test_the_nearest_of_several_places_is_named_and_all_are_listed(corridor: Profile) -> None:
    found = likenesses([corridor], *RECORDED)
    nearest = nearest_place(found)
    text = realism_text("corridor", [corridor], found)
    assert f"nearest to {nearest.place.name}, {nearest.in_bars:.2f} bars away" in text
    assert [float(cell) for cell in row(text, "mean")] == [round(f.in_bars, 2) for f in found]
    assert nearest.in_bars == min(each.in_bars for each in found)


def test_what_is_not_known_is_a_dash() -> None:
    alone = crowd_profile([walk(1, (0, 0, 0), (9, 9, 0))])
    text = realism_text("alone", [alone], likenesses([alone], *RECORDED))
    assert row(text, "nearest neighbour [m]")[0] == "-"
    assert row(text, "nearest neighbour [m]")[2] == "-"
    content = realism_json("alone", [alone], likenesses([alone], "eth"))
    assert content["statistics"]["nearest_neighbour_m"] == {"samples": 0}
    judged = content["places"]["eth"]["statistics"]["nearest_neighbour_m"]
    assert (judged["crowd"], judged["distance"], judged["verdict"]) == (None, None, None)


def test_a_crowd_of_which_nothing_is_known_is_still_valid_json() -> None:
    nobody = crowd_profile([walk(1, (0.1, 0, 0), (0.3, 9, 0))])
    content = realism_json("nobody", [nobody], likenesses([nobody], "eth"))
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    assert content["places"]["eth"]["mean_distance_in_bars"] is None


def test_json_holds_quantiles_measures_bars_and_verdicts(corridor: Profile) -> None:
    content = realism_json("corridor", [corridor], likenesses([corridor], *RECORDED))
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    assert content["nearest"] in RECORDED
    assert (content["people"], content["episodes"]) == (60, 1)
    assert set(content["statistics"]["walking_speed_mps"]) == {
        "samples", "mean", "q05", "q25", "q50", "q75", "q95",
    }  # fmt: skip
    assert content["statistics"]["people_in_groups"] == {"of": 60, "share": 1.0}
    judged = content["places"]["zara01"]["statistics"]
    assert judged["walking_speed_mps"]["measure"] == "kolmogorov-smirnov"
    assert judged["time_standing"]["measure"] == "difference"
    assert judged["time_standing"]["aim"] == judged["time_standing"]["bar"] / 2
    assert judged["time_standing"]["verdict"] == "within aim"
