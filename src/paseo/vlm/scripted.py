"""Models that look at nothing: each follows a script, for tests and for trying things out."""

import json
import random
import time
from collections.abc import Callable, Mapping
from hashlib import sha256

from paseo.errors import BadValue, UnknownName
from paseo.vlm.failures import ModelRefusesKey, SlowDown, TryAgain
from paseo.vlm.models import ModelSettings, Prompt, PromptQuestion, Reply

DEFAULTS = ModelSettings()
# What people answer most often, whatever the question is.
USUAL = ("no", "not considering", "not consider", "ahead of", "ahead", "closer to", "moving ahead")

ERRS = 1 / 8  # of the questions, by `scripted/erring`
STRAYS = 1 / 3  # of the decisions, by `scripted/fickle`

Script = Callable[[Prompt], str]
Value = str | list[str]
# What to answer, by a chance that is the same for the same prompt.
Choice = Callable[[PromptQuestion, random.Random], Value]


class Scripted:
    """A model that follows one of the scripts, `scripted/first`, or one that it is given.

    `delay_s` among the settings' own options makes it wait that long, like a distant model.
    """

    def __init__(
        self, model: str, settings: ModelSettings = DEFAULTS, *, script: Script | None = None
    ) -> None:
        if script is None and model not in SCRIPTS:
            raise UnknownName("script of a model", model, SCRIPTS)
        delay = settings.extra.get("delay_s", 0.0)
        if not isinstance(delay, int | float) or not 0 <= delay <= 600:
            raise BadValue(f"model 'scripted/{model}': delay_s is {delay!r}, expected 0 to 600")
        self.name = f"scripted/{model}"
        self._script = script or SCRIPTS[model]
        self._delay = float(delay)

    def ask(self, prompt: Prompt) -> Reply:
        """What the script says to this prompt."""
        if self._delay:
            time.sleep(self._delay)
        return Reply(text=self._script(prompt), latency_s=self._delay, model=self.name)


def _values(prompt: Prompt, choose: Choice) -> dict[str, Value]:
    seen = "".join([prompt.text, *(each.hash for each in prompt.images)])
    chance = random.Random(sha256(seen.encode()).digest())
    return {each.key: choose(each, chance) for each in prompt.questions}


def _json(prompt: Prompt, choose: Choice) -> str:
    return prompt.answered(_values(prompt, choose))


def _first(asked: PromptQuestion, chance: random.Random) -> Value:
    return _as_wanted(asked, asked.choices[0])


def _last(asked: PromptQuestion, chance: random.Random) -> Value:
    return _as_wanted(asked, asked.choices[-1])


def _usual(asked: PromptQuestion, chance: random.Random) -> Value:
    known = [each for each in USUAL if each in asked.choices]
    return _as_wanted(asked, [*known, *asked.choices][0])


def _random(asked: PromptQuestion, chance: random.Random) -> Value:
    return _as_wanted(asked, chance.choice(asked.choices))


def _reversed(asked: PromptQuestion, chance: random.Random) -> Value:
    return list(reversed(asked.choices)) if asked.several else asked.choices[0]


def _inflected(asked: PromptQuestion, chance: random.Random) -> Value:
    """The first choice in capitals, in the other form of the verb: "avoid" for "avoiding"."""
    return _as_wanted(asked, asked.choices[0].removesuffix("ing").upper() + " ")


def _as_wanted(asked: PromptQuestion, choice: str) -> Value:
    return [choice] if asked.several else choice


def _ruled(rule: str) -> Choice:
    """What a rule takes that was computed when the question was put; the first choice without."""

    def choice(asked: PromptQuestion, chance: random.Random) -> Value:
        taken = [each for name, each in asked.rules if name == rule] or [asked.choices[0]]
        return taken if asked.several else taken[0]

    return choice


def _believing(asked: PromptQuestion, chance: random.Random) -> Value:
    """Knows what is likely of every question, and goes where what it was told seems safe."""
    going = any(name == "believed" for name, _ in asked.rules)
    return _ruled("believed" if going else "truth")(asked, chance)


def _erring(asked: PromptQuestion, chance: random.Random) -> Value:
    """The same, but in one of eight questions any answer; never in where it goes."""
    going = any(name == "believed" for name, _ in asked.rules)
    wrong = chance.random() < ERRS and not going
    return _random(asked, chance) if wrong else _believing(asked, chance)


def _heedless(asked: PromptQuestion, chance: random.Random) -> Value:
    """Errs as often, and goes where it is safe whatever it was told."""
    going = any(name == "believed" for name, _ in asked.rules)
    return _ruled("truth")(asked, chance) if going else _erring(asked, chance)


def _fickle(asked: PromptQuestion, chance: random.Random) -> Value:
    """Errs as often, and where it goes anything it is told throws the dice anew, nothing more."""
    going = any(name == "believed" for name, _ in asked.rules)
    strays = going and chance.random() < STRAYS
    return _random(asked, chance) if strays else _heedless(asked, chance)


def _blind(kinds: tuple[str, ...], seen_as: Mapping[str, str]) -> Script:
    """The same, but of questions of these kinds it sees some answers as others."""

    def choice(asked: PromptQuestion, chance: random.Random) -> Value:
        value = _believing(asked, chance)
        if not asked.key.startswith(kinds) or isinstance(value, list):
            return value
        return seen_as.get(value, value)

    return lambda prompt: _json(prompt, choice)


def _prose(prompt: Prompt) -> str:
    values = list(_values(prompt, _first).values())
    said = values[0] if len(values) == 1 else "given above"
    return f"I looked at the clip, and the answer is {said}."


def _nested(prompt: Prompt) -> str:
    return json.dumps({"answer": json.loads(_json(prompt, _first))})


def _busy(prompt: Prompt) -> str:
    raise SlowDown("scripted/busy: always too busy; ask another model", retry_after_s=0.01)


def _late(prompt: Prompt) -> str:
    raise TryAgain("scripted/late: never answers in time; ask another model")


def _locked(prompt: Prompt) -> str:
    raise ModelRefusesKey("scripted/locked: takes no key; ask another model")


SCRIPTS: dict[str, Script] = {
    "first": lambda prompt: _json(prompt, _first),
    "last": lambda prompt: _json(prompt, _last),
    "constant": lambda prompt: _json(prompt, _usual),
    "random": lambda prompt: _json(prompt, _random),
    "reversed": lambda prompt: _json(prompt, _reversed),
    "inflected": lambda prompt: _json(prompt, _inflected),
    "truth": lambda prompt: _json(prompt, _ruled("truth")),
    "straight": lambda prompt: _json(prompt, _ruled("straight")),
    "nearest": lambda prompt: _json(prompt, _ruled("nearest")),
    "believing": lambda prompt: _json(prompt, _believing),
    "erring": lambda prompt: _json(prompt, _erring),
    "heedless": lambda prompt: _json(prompt, _heedless),
    "fickle": lambda prompt: _json(prompt, _fickle),
    "blind-sides": _blind(
        ("q_person_spatial_position",),
        {"to the left of": "to the right of", "to the right of": "to the left of"},
    ),
    "blind-motion": _blind(
        ("q_person_distance_change",),
        dict.fromkeys(("closer to", "further away from"), "about the same distance to"),
    ),
    "blind-obstruction": _blind(("q_obstructing_",), {"yes": "no"}),
    "blind-behind": _blind(("q_person_spatial_position",), {"behind": "ahead of"}),
    "fenced": lambda prompt: f"```json\n{_json(prompt, _first)}\n```",
    "reasoned": lambda prompt: f"People walk, the robot drives.\n{_json(prompt, _first)}",
    "prose": _prose,
    "nested": _nested,
    "cut": lambda prompt: _json(prompt, _first)[:-3],
    "refusing": lambda prompt: "I'm sorry, but I can't help with that.",
    "empty": lambda prompt: "",
    "busy": _busy,
    "late": _late,
    "locked": _locked,
}
