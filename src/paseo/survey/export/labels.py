"""People's answers in the layout of SocialNav-SUB's labels."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from paseo.survey.study.scenes import ShownScene
from paseo.vqa.questions.questions import Option, Question, QuestionType

Sheets = Mapping[str, Mapping[str, Option]]  # by person: what they answered, by question key


def common_answers(every: Sequence[Question], sheets: Sheets) -> dict[str, Any]:
    """`common_answers.json`: for every question who many said what, the most common first."""
    content: dict[str, Any] = {}
    for asked in every:
        votes = Counter(sheet[asked.key] for sheet in sheets.values())
        total = votes.total()
        ranked = sorted(votes, key=lambda option: (-votes[option], _place(asked, option)))
        content[asked.key] = [answer_value(option, asked.kind) for option in ranked]
        content[f"{asked.key}_probabilities"] = [votes[option] / total for option in ranked]
        content[f"{asked.key}_n_answers"] = total
    return content


def raw_answers(every: Sequence[Question], sheets: Sheets) -> dict[str, dict[str, Any]]:
    """`raw_answers.json`: everybody's answers, by a name that tells nothing."""
    return {
        name: {each.key: answer_value(sheet[each.key], each.kind) for each in every}
        for name, sheet in sorted(sheets.items())
    }


def sample_list(scenes: Iterable[ShownScene]) -> dict[str, Any] | None:
    """`sample_info.json`; None where people are not numbered from 1 on, which it cannot say."""
    listed: list[dict[str, Any]] = []
    for scene in scenes:
        if list(scene.people) != list(range(1, len(scene.people) + 1)):
            return None
        listed.append({"folderpath": scene.id, "n_people": len(scene.people)})
    return {"samples": listed}


def answer_value(option: Option, kind: QuestionType) -> str | Sequence[str]:
    """An answer as label files hold it."""
    return list(option) if kind.select_many else option[0]


def _place(asked: Question, option: Option) -> int:
    return asked.kind.options.index(option)
