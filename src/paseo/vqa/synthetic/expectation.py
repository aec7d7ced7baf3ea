"""What the synthetic labels must score, in exact fractions: an oracle for every other arithmetic.

Written plainly, question by question, and sharing no code with the scores it is there to check.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from paseo.vqa.questions.questions import CATEGORIES, Option, kinds, question
from paseo.vqa.synthetic.voting import Ballots, tally

Group = str  # 'all', a reasoning category, or the key of a kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """One question, what was answered, and what is right."""

    scene: str
    kind: str
    counts: dict[Option, int]
    right: Option

    @property
    def voters(self) -> int:
        """How many people answered."""
        return sum(self.counts.values())

    def share(self, option: Option) -> Fraction:
        """The part of the people who gave this answer."""
        return Fraction(self.counts.get(option, 0), self.voters)


Term = tuple[Fraction, Fraction]  # agreement with people, and weighted by their consensus
Row = Callable[[Vote], Term | None]  # None where a question does not count


def expected(
    cast: dict[str, Ballots], truth: dict[str, dict[str, Option]]
) -> dict[str, dict[Group, dict[str, str]]]:
    """Scores by row and group as fractions written `3/5`, of `questions` that count.

    `oracle`: what most people said. `average_human`: each person against the others. `truth`: the
    geometric truth as if a model had said it. `first`, `random`: the first of the options, any.
    `constant`: the answer to each kind that agrees most over all scenes; `constant_held_out`: over
    the other scenes (among equals the first option). `published_...`: the original's arithmetic.
    Questions with one voter count only where nobody is left out; groups without questions are not
    in the table.
    """
    votes = [
        Vote(
            scene=scene,
            kind=question(scene, key).kind.key,
            counts=tally(ballot.values()),
            right=truth[scene][key],
        )
        for scene, ballots in cast.items()
        for key, ballot in ballots.items()
    ]
    scores: dict[str, dict[Group, dict[str, str]]] = {}
    for name, row in _rows(votes).items():
        terms = [row(vote) for vote in votes]
        groups = {group: [terms[k] for k in members] for group, members in _groups(votes)}
        scores[name] = {group: _mean(each) for group, each in groups.items() if any(each)}
    return scores


def _rows(votes: list[Vote]) -> dict[str, Row]:
    over_all = {kind: _constant(votes, kind, without="") for kind in kinds()}
    held_out = {
        (scene, kind): _constant(votes, kind, without=scene)
        for scene in {vote.scene for vote in votes}
        for kind in kinds()
    }
    return {
        "oracle": lambda vote: _plain(vote, max(vote.counts.values())),
        "truth": lambda vote: _plain(vote, vote.counts.get(vote.right, 0)),
        "first": lambda vote: _plain(vote, vote.counts.get(_first(vote), 0)),
        "random": lambda vote: _plain(vote, Fraction(vote.voters, len(kinds()[vote.kind].options))),
        "constant": lambda vote: _plain(vote, vote.counts.get(over_all[vote.kind], 0)),
        "constant_held_out": lambda vote: _plain(
            vote, vote.counts.get(held_out[vote.scene, vote.kind], 0)
        ),
        "average_human": lambda vote: _left_out(vote, _exact, lambda left, gone: left[gone]),
        "oracle_left_out": lambda vote: _left_out(vote, _exact, _best),
        "published_oracle": lambda vote: _left_out(vote, _truncated, _best),
        "published_average_human": lambda vote: _left_out(
            vote, _truncated, lambda left, gone: left[gone]
        ),
        "published_truth": lambda vote: _left_out(
            vote, _truncated, lambda left, gone: left.get(vote.right, Fraction(0))
        ),
        "published_first": lambda vote: _left_out(
            vote, _truncated, lambda left, gone: left.get(_first(vote), Fraction(0))
        ),
    }


def _plain(vote: Vote, agreeing: int | Fraction) -> Term:
    return (
        Fraction(agreeing) / vote.voters,
        Fraction(agreeing) / max(vote.counts.values()),
    )


Shares = dict[Option, Fraction]


def _left_out(
    vote: Vote,
    counted: Callable[[int, int, bool], int],
    judged: Callable[[Shares, Option], Fraction],
) -> Term | None:
    """The mean over everybody, each left out once and held against those who are left."""
    n = vote.voters
    if n <= 1:
        return None
    plain = weighted = Fraction(0)
    for gone, times in vote.counts.items():
        left = {o: counted(c, n, o == gone) for o, c in vote.counts.items()}
        shares = {option: Fraction(c, sum(left.values())) for option, c in left.items()}
        agreement = judged(shares, gone)
        plain += times * agreement
        weighted += times * agreement / max(shares.values())
    return plain / n, weighted / n


def _exact(count: int, voters: int, gone: bool) -> int:
    return count - 1 if gone else count


def _truncated(count: int, voters: int, gone: bool) -> int:
    """As the original counts: a share in floating point, cut to a whole number."""
    share = count / voters - 1 / voters if gone else count / voters
    return int(share * voters)


def _best(shares: Shares, gone: Option) -> Fraction:
    return max(shares.values())


def _first(vote: Vote) -> Option:
    return kinds()[vote.kind].options[0]


def _constant(votes: list[Vote], kind: str, *, without: str) -> Option:
    asked = [vote for vote in votes if vote.kind == kind and vote.scene != without]
    options = kinds()[kind].options
    agreement = [sum((vote.share(option) for vote in asked), Fraction(0)) for option in options]
    return options[agreement.index(max(agreement))]


def _groups(votes: list[Vote]) -> list[tuple[Group, list[int]]]:
    """Which questions belong together, by their places in the list."""
    places = range(len(votes))
    asked = [kinds()[vote.kind] for vote in votes]
    groups: list[tuple[Group, list[int]]] = [("all", list(places))]
    for category in CATEGORIES:
        groups.append((category, [k for k in places if asked[k].category == category]))
    groups += [(key, [k for k in places if asked[k].key == key]) for key in kinds()]
    return groups


def _mean(terms: Iterable[Term | None]) -> dict[str, str]:
    counting = [term for term in terms if term is not None]
    n = len(counting)
    return {
        "questions": str(n),
        "pa": str(sum((plain for plain, _ in counting), Fraction(0)) / n),
        "cwpa": str(sum((weighted for _, weighted in counting), Fraction(0)) / n),
    }
