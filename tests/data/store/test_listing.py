from pathlib import Path

from paseo.data.store.crowds import CrowdFile, save_crowd
from paseo.data.store.hub import SOCIALNAV_SUB
from paseo.data.store.listing import DataKind, data_sets
from paseo.data.store.locations import DataFolder
from walkers import corridor_crowd, corridor_plan

ABOUT = CrowdFile(
    name="plaza", fps=10.0, longest_gap_s=2.0, source="p.csv", source_sha256="0" * 64,
    source_format="csv",
)  # fmt: skip


def test_what_is_known_is_listed_before_what_was_imported(tmp_path: Path) -> None:
    save_crowd(ABOUT, corridor_crowd(5), corridor_plan(), tmp_path)
    found = data_sets(DataFolder(tmp_path))
    names = [each.name for each in found]
    known = ["eth", "hotel", "univ", "zara01", "zara02", SOCIALNAV_SUB.name, "rocketbox"]
    assert names[: len(known)] == known
    assert names[-1] == "plaza"
    assert [each.kind for each in found if each.place is None][-1] is DataKind.PEOPLE
    plaza = found[-1]
    assert (plaza.kind, plaza.map, plaza.about) == (DataKind.IMPORTED, "its own", ABOUT)


def test_a_crowd_that_cannot_be_read_is_listed_with_the_reason(tmp_path: Path) -> None:
    folder = save_crowd(ABOUT, corridor_crowd(5), None, tmp_path)
    (folder / "crowd.json").write_text("{")
    plaza = data_sets(DataFolder(tmp_path))[-1]
    assert (plaza.name, plaza.place) == ("plaza", None)
    assert "crowd.json" in plaza.problem
