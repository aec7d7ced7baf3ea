"""Decisions of a model that drove, written by hand."""

from paseo.deciding.decisions import Candidate, Decision, Told

SIDE = "q_person_spatial_position_end_p1"
CROSSES = "q_obstructing_path_p1"


def decision(
    number: int,
    time_s: float,
    *,
    said: str = "ahead of",
    true: str | None = "ahead of",
    chosen: str | None = "B",
    reply: str = '{"answer": "B"}',
    latency_s: float = 0.0,
) -> Decision:
    """A choice between staying and going on, after one question about person 1, and one unclear."""
    x = 2.0 + time_s
    return Decision(
        number=number,
        time_s=time_s,
        pose=(x, 5.0, 0.0),
        goal_m=(8.0, 5.0),
        people={"1": 1},
        candidates=(
            Candidate(letter="A", x_m=x, y_m=5.0, speed_mps=0.0),
            Candidate(letter="B", x_m=x + 2.0, y_m=5.5, speed_mps=1.0),
        ),
        rules={"nearest": "B", "truth": "A"},
        think="questions",
        answers={SIDE: Told(answer=(said,)), CROSSES: Told(answer=("no",))},
        truth={SIDE: (true,)} if true else {},
        prompt_key="",
        reply=reply,
        chosen=chosen,
        problem="" if chosen else "no answer could be read",
        latency_s=latency_s,
    )
