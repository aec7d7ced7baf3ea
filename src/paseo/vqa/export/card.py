"""Cards: what was exported, from where, under whose licence, and how answers are scored."""

from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from paseo.files import sha256
from paseo.text import in_short
from paseo.vqa.export.edition import Edition, ExportTally
from paseo.vqa.prompts.presentation import Presentation
from paseo.vqa.questions.raw_answers import LONGEST_NAME

HEADER = """\
---
pretty_name: Questions about people around a robot
license: other
license_name: as-the-source
task_categories:
- visual-question-answering
language:
- en
size_categories:
- {size}
configs:
- config_name: questions
  default: true
  data_files:
  - split: test
    path: data/questions.parquet
- config_name: scenes
  data_files:
  - split: test
    path: data/scenes.parquet
---
"""
SIZES = {10**3: "n<1K", 10**4: "1K<n<10K", 10**5: "10K<n<100K", 10**6: "100K<n<1M"}
LICENCE = """\
## Whose it is

Frames, tracks, votes and any wording marked `dataset` belong to the authors of the source named
above, and their licence holds for this copy: read it before you pass the copy on, and cite them.
Wording marked `paseo`, drawings marked `paseo` or `paseo-brg`, and this card came with Paseo (MIT).
"""
SCORING = """\
## How to score

Each question is put on its own, pictures first, then the prompt. An answer is worth the share of
the people asked who gave the same one (Probability of Agreement; Munje et al., SocialNav-SUB,
equation 1): `votes[options.index(answer)] / sum(votes)`. For questions with `select_many` an
answer is a set of choices, in the order of the choices. What cannot be read is worth 0 and must
be counted. The score is the mean over all questions with votes, also for each `reasoning`.
Questions of one scene hang together: cluster standard errors by `scene`.
"""
COLUMNS = """\
## What is in it

`questions` has a row for each question:

| column | |
|---|---|
| `id` | `scene/key` |
| `scene` | the row of `scenes` whose images go with the prompt |
| `person` | the number of the person asked about; null where the scene is |
| `key` | the question, as SocialNav-SUB calls it |
| `reasoning` | spatial, spatiotemporal or social |
| `prompt` | everything a model is told |
| `choices`, `select_many` | what may be answered, and whether several may |
| `needs` | keys of questions of the same scene that this one builds on |
| `options` | every possible answer, as a list of choices |
| `votes` | how many people gave each of the options; null where nobody's votes are known |

`scenes` has a row for each scene: `images` in the order of time, at `fps` frames per second where
there are several, the numbers of its `people`, and the `sha256` of the scene they were drawn from.

```python
from datasets import load_dataset

images = {row["scene"]: row["images"] for row in load_dataset("DIR", "scenes", split="test")}
for row in load_dataset("DIR", "questions", split="test"):
    answer = ask(images[row["scene"]], row["prompt"])
```
"""
RUNNING = """\
## How to run it

```
pip install 'paseo[inspect]'
inspect eval task.py --model PROVIDER/MODEL --no-log-images
```

`agreement` in the result is Probability of Agreement, overall and by kind of reasoning, with
standard errors clustered by scene; `invalid` the share of answers that could not be read. Answers
are read and scored by Paseo's own code.
"""


def parquet_card(
    edition: Edition, tally: ExportTally, *, files: Iterable[Path], made_with: str
) -> str:
    """The card of the two tables."""
    size = next((name for most, name in SIZES.items() if tally.questions < most), "1M<n<10M")
    parts = _about(edition, tally, files, made_with=f" with {made_with}"), COLUMNS, SCORING, LICENCE
    return HEADER.format(size=size) + "\n" + "\n".join(parts)


def inspect_card(edition: Edition, tally: ExportTally, *, files: Iterable[Path]) -> str:
    """The card of a task for inspect_ai."""
    return "\n".join([_about(edition, tally, files, made_with=""), RUNNING, SCORING, LICENCE])


def _about(edition: Edition, tally: ExportTally, files: Iterable[Path], *, made_with: str) -> str:
    how = edition.presentation
    numbers = ", ".join(f"{count} {name}" for name, count in sorted(tally.reasoning.items()))
    facts = {
        "scenes": f"{tally.scenes} of {_name(edition.folder.folder)} ({edition.folder.kind})",
        "questions": f"{tally.questions} ({numbers})",
        "votes": _votes(edition, tally),
        "images": f"{how.layout.value}, drawn by {how.drawing.value}{_bound(how)}",
        "wording": f"{how.wording.source.value}, sha256 {how.wording.hash}",
        "method": "independent",
        "left out": ", ".join(_code(each.scene) for each in tally.unreadable) or "nothing",
        "made by": f"Paseo {version('paseo')}{made_with}",
        **{f"sha256 of {path.name}": sha256(path) for path in files},
    }
    lines = "\n".join(f"- {name}: {value}" for name, value in facts.items())
    title = "# Questions about people around a robot"
    long = " and ".join(f"{seconds:g}" for seconds in sorted(tally.durations))
    return f"{title}\n\nScenes of {long} s that a robot saw, and questions about them.\n\n{lines}\n"


def _votes(edition: Edition, tally: ExportTally) -> str:
    if edition.labels is None:
        return "none were given"
    return f"on {tally.with_votes} questions, from {_name(Path(edition.labels.source))}"


def _bound(how: Presentation) -> str:
    return "" if how.largest_px is None else f", at most {how.largest_px} px on a side"


def _name(folder: Path) -> str:
    """Only the folder's own name: where it lies on this machine is nobody's business."""
    return _code(folder.resolve().name)


def _code(name: str) -> str:
    """A name from somewhere else, which can end neither its line nor its quotes."""
    return f"`{in_short(name, LONGEST_NAME).replace('`', '')}`"
