"""How likely a model took each option to be, by the log-probabilities of the tokens it wrote."""

import json
import math
import re
from collections.abc import Sequence
from itertools import accumulate

from paseo.vlm.models import Token
from paseo.vqa.questions.questions import Option, QuestionType

MOST_UNCLEAR = 0.1  # of the probability, that may lie where nobody can say which option it is
_ANSWER = re.compile(r'"answer"\s{0,9}:\s{0,9}"')


def option_chances(
    tokens: Sequence[Token], kind: QuestionType, said: Option | None
) -> dict[Option, float] | None:
    """The probability of each option; None where the tokens do not tell it.

    The answer is looked up in the JSON of the reply. Along the tokens that spell it, each of those
    that could have stood there goes to the option it begins; where several options begin with what
    was written, the next token tells them apart. What fits no option is left out. Unclear is what
    several options begin with and was not written, and what the provider did not list.
    """
    if said is None or kind.select_many or not tokens:
        return None
    written = "".join(token.text for token in tokens)
    endings = {option: json.dumps(option[0])[1:] for option in kind.options}
    starts = [found.end() for found in _ANSWER.finditer(written)]
    if not starts or not written[starts[-1] :].startswith(endings[said]):
        return None
    chances, unclear = _walk(tokens, starts[-1], endings)
    known = sum(chances.values())
    if unclear > MOST_UNCLEAR or known <= 0.0:
        return None
    return {option: chance / known for option, chance in chances.items()}


def _walk(
    tokens: Sequence[Token], start: int, endings: dict[Option, str]
) -> tuple[dict[Option, float], float]:
    """The probability of each option, as far as it can be told, and how much cannot be."""
    chances, unclear, path = dict.fromkeys(endings, 0.0), 0.0, 1.0
    ends = list(accumulate(len(token.text) for token in tokens))
    written = "".join(token.text for token in tokens)
    open_options = list(endings)
    for token, end in zip(tokens, ends, strict=True):
        begin = end - len(token.text)
        if end <= start:
            continue
        so_far = {option: _rest(written, begin, start, endings[option]) for option in open_options}
        listed = 0.0
        for text, chance in token.chances:
            share = path * math.exp(chance)
            listed += math.exp(chance)
            fitting = [option for option, rest in so_far.items() if _begins(text, rest)]
            if len(fitting) == 1:
                chances[fitting[0]] += share
            elif fitting and text != token.text:
                unclear += share
        unclear += path * max(0.0, 1.0 - listed)
        open_options = [option for option, rest in so_far.items() if _begins(token.text, rest)]
        if len(open_options) < 2:
            break
        path *= math.exp(dict(token.chances).get(token.text, 0.0))
    return chances, unclear


def _rest(written: str, begin: int, start: int, ending: str) -> str:
    """What would have to be written from a token's begin on for an option to be the answer."""
    if begin <= start:
        return written[begin:start] + ending
    return ending[begin - start :]


def _begins(text: str, rest: str) -> bool:
    """Whether a token goes the way of an option: a part of it, or all of it and more."""
    return bool(text) and (rest.startswith(text) or (bool(rest) and text.startswith(rest)))
