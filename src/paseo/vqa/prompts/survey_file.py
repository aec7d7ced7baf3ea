"""The survey's texts in the form of the data set's files, in our own words."""

from paseo.vqa.prompts.wording import GUIDANCE as BLOCKS
from paseo.vqa.questions.questions import kinds

# Blocks that the file of dependencies does not list, though it lists the others.
UNLISTED = ("affected", "future_affected")
GRID_LINE = (
    "There is a single picture: a grid of two rows and two columns, the earliest frame in its left "
    "upper corner and the latest in its right lower corner."
)
INTRODUCTION = [
    "The upper part of a picture is the view of the robot's camera.",
    "The lower part is a map from above, in metres, with the robot's first direction upwards.",
    "Discs with numbers mark people, with the same number and colour in both parts.",
    "On the map, R marks the robot and G the place it drives to.",
    "The frames are a quarter of a second apart.",
]
ACTIONS = [
    "Avoiding: keeping out of the way the other is about to take.",
    "Overtaking: passing the other from behind to be in front.",
    "Not considering: moving as if the other were not there.",
    "Following: staying behind the other on the same way.",
    "Yielding to: slowing down or waiting so that the other can go first.",
]
FUTURE_ACTIONS = [
    "Avoid: keep out of the way the other is about to take.",
    "Overtake: pass the other from behind to be in front.",
    "Not consider: move as if the other were not there.",
    "Follow: stay behind the other on the same way.",
    "Yield to: slow down or wait so that the other can go first.",
]
GUIDANCE = {
    "movement": [
        "Judge directions as somebody would who stands where the robot stands and looks ahead.",
        "Where a person comes late or leaves early, take the first or last frame that shows them.",
    ],
    "goal": [
        "The robot would drive straight to G if nobody were there.",
        "Somebody is in its way if the robot could not drive so.",
    ],
    "affected": ["Somebody is affected who moves otherwise than they would alone."],
    "action": ["Pick what describes the movement best.", *ACTIONS],
    "future_affected": ["Think of the seconds that come after the last frame."],
    "future_action": ["Think of the seconds that come after the last frame.", *FUTURE_ACTIONS],
}
ONE_ANSWER = 'Pick one of them and reply in JSON: {"answer": "<your pick>"}'
MANY_ANSWERS = 'Pick all that fit and reply in JSON: {"answer": ["<a pick>", "<another pick>"]}'


def wording_entries(scenes: str, *, lines: tuple[str, ...] = ()) -> dict[str, object]:
    """The file of questions; it begins with what the scenes are, `lines` end its introduction."""
    texts: dict[str, object] = {"survey_instructions": [scenes, *INTRODUCTION, *lines]}
    for kind in kinds().values():
        texts.setdefault(BLOCKS[kind.guidance], GUIDANCE[kind.guidance])
        texts[kind.key] = {
            "question": kind.text,
            "type": "multiple_select" if kind.select_many else "multiple_choice",
            "choices": list(kind.choices),
        }
    return texts | {"answers_format_mc": ONE_ANSWER, "answers_format_ms": MANY_ANSWERS}


def dependencies() -> dict[str, list[str]]:
    """The file that says which answers a question builds on."""
    graph: dict[str, list[str]] = {"survey_instructions": []}
    for kind in kinds().values():
        if kind.guidance not in UNLISTED:
            graph.setdefault(BLOCKS[kind.guidance], [])
        graph[kind.key] = list(kind.needs)
    return graph
