"""As whom somebody comes: sent by Prolific, by a link of their own, or as nobody in particular."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from paseo.admission import is_same
from paseo.errors import InputError
from paseo.survey.store.people import Identity
from paseo.survey.study.folder import Study
from paseo.survey.study.settings import Way

PID, STUDY_ID, SESSION_ID, LINK = "PROLIFIC_PID", "STUDY_ID", "SESSION_ID", "link"
ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Refused(InputError):
    """Somebody comes without what they need to come in."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """As whom somebody comes, and the fields of an address or a form that say so."""

    identity: Identity | None
    fields: Mapping[str, str]

    @classmethod
    def of(cls, study: Study, given: Mapping[str, Sequence[str]]) -> "Arrival":
        """Read it from an address or a form."""
        way = study.settings.way
        if way is Way.OPEN:
            return cls(None, {})
        if way is Way.LINKS:
            token = _id(given, LINK)
            numbers = [k for k, each in enumerate(study.links) if is_same(token, each)]
            if not numbers:
                raise Refused("the link is not one of this study")
            return cls(Identity(f"link {numbers[0] + 1}"), {LINK: token})
        fields = {name: _id(given, name) for name in (PID, STUDY_ID, SESSION_ID)}
        return cls(Identity(*fields.values()), fields)


def _id(given: Mapping[str, Sequence[str]], name: str) -> str:
    values = given.get(name, ())
    if len(values) != 1 or not ID.fullmatch(values[0]):
        raise Refused(f"{name} is missing or is none")
    return values[0]
