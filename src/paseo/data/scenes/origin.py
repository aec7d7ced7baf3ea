"""Whether scenes, and people's answers to them, were recorded or staged."""

from pathlib import Path

from paseo.files import opened

SYNTHETIC = "synthetic"  # how the ids of staged scenes begin; those of recordings begin otherwise
# What a folder with the staged data set holds, and what a real one never does. The first sets
# that were staged had the ids of real scenes.
MARKS = {
    "dataset_cfg.yaml": "dataset_name: paseo_synthetic",
    "README.md": "# A synthetic data set\n\nMade by `paseo scenes make",
    "human_labels/count_n_humans.py": "Stands where the original has",
    "count_n_humans.py": "Stands where the original has",
}
LARGEST = 64 << 10  # bytes of such a file that are looked at


def is_staged(id: str) -> bool:
    """Whether a scene of this id is of a synthetic data set."""
    return id.startswith(f"{SYNTHETIC}_")


def holds_staged(folder: Path) -> bool:
    """Whether a folder is a synthetic data set, or its folder of labels."""
    places = (folder, folder.parent) if folder.name == "human_labels" else (folder,)
    return any(_says(place / name, words) for place in places for name, words in MARKS.items())


def _says(file: Path, words: str) -> bool:
    try:
        with opened(file) as stream:
            return words.encode() in stream.read(LARGEST)
    except OSError:
        return False
