"""Cards: read by Hugging Face's own reader, and true of what lies beside them."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from huggingface_hub import DatasetCard

from editions import edition, votes
from paseo.vqa.export.card import parquet_card
from paseo.vqa.export.edition import ExportTally
from paseo.vqa.export.inspect_folder import export_inspect
from paseo.vqa.export.parquet import export_parquet


def test_the_header_names_both_tables_and_leaves_the_licence_to_the_source(tmp_path: Path) -> None:
    export_parquet(edition(tmp_path), tmp_path / "out", ExportTally())
    data = DatasetCard.load(tmp_path / "out/README.md").data.to_dict()
    assert data["license"] == "other" and data["size_categories"] == ["n<1K"]
    files = {each["config_name"]: each["data_files"][0]["path"] for each in data["configs"]}
    assert list(files) == ["questions", "scenes"] and data["configs"][0]["default"]
    for path in files.values():
        assert (tmp_path / "out" / path).is_file()


def test_the_card_tells_what_was_exported_and_the_hash_of_each_table(tmp_path: Path) -> None:
    chosen = edition(tmp_path, labels=votes(tmp_path, "yard-1"), largest_px=64)
    export_parquet(chosen, tmp_path / "out", ExportTally())
    card = (tmp_path / "out/README.md").read_text()
    assert "- scenes: 2 of `scenes` (clips)" in card and "on 15 questions, from `labels`" in card
    assert "- questions: 30 (14 social, 10 spatial, 6 spatiotemporal)" in card
    assert "- images: grid, drawn by paseo, at most 64 px on a side" in card
    assert f"- wording: paseo, sha256 {chosen.presentation.wording.hash}" in card
    for path in (tmp_path / "out/data").iterdir():
        assert f"sha256 of {path.name}: {sha256(path.read_bytes()).hexdigest()}" in card


def test_no_card_tells_where_anything_lies_on_this_machine(tmp_path: Path) -> None:
    chosen = edition(tmp_path, labels=votes(tmp_path))
    export_parquet(chosen, tmp_path / "a", ExportTally())
    export_inspect(chosen, tmp_path / "b", ExportTally())
    for out in ("a", "b"):
        assert str(tmp_path) not in (tmp_path / out / "README.md").read_text()


def test_a_strange_folder_name_cannot_write_into_the_card(tmp_path: Path) -> None:
    strange = "/data/x`\n---\nlicense: mit\n---\n`y"
    chosen = edition(tmp_path, labels=replace(votes(tmp_path), source=strange))
    tally = ExportTally()
    list(tally.kept(chosen.exhibits()))
    card = parquet_card(chosen, tally, files=[], made_with="")
    assert DatasetCard(card).data.license == "other"
    assert "from `x --- license: mit --- y`\n" in card


def test_scenes_that_were_left_out_are_named(tmp_path: Path) -> None:
    edition(tmp_path)
    (tmp_path / "scenes/yard-2/scene.json").write_text("{")
    export_inspect(edition(tmp_path), tmp_path / "out", ExportTally())
    assert "- left out: `yard-2`\n" in (tmp_path / "out/README.md").read_text()


@pytest.mark.parametrize(
    ("questions", "size"), [(999, "n<1K"), (4968, "1K<n<10K"), (2 * 10**6, "1M<n<10M")]
)
def test_the_size_is_told_in_the_words_of_the_hub(
    tmp_path: Path, questions: int, size: str
) -> None:
    tally = ExportTally(scenes=1)
    tally.reasoning["social"] = questions
    card = parquet_card(edition(tmp_path), tally, files=[], made_with="")
    assert DatasetCard(card).data.to_dict()["size_categories"] == [size]
