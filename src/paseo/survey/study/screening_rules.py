"""By which rules people are left out: a section of a study's settings, to be edited at any time."""

from typing import Annotated

from msgspec import Meta

from paseo.data.settings_file import Entry


class ScreeningRules(Entry, frozen=True):
    """The threshold of every rule; what each rests on is told where it is measured."""

    checks_failed: Annotated[int, Meta(ge=1, le=9)] = 2
    seconds_per_question: Annotated[float, Meta(ge=0, le=3600)] = 2.0
    same_position: Annotated[float, Meta(ge=0, le=1)] = 0.6
    agreement: Annotated[float, Meta(ge=-9, le=1)] = 0.4
    alike: Annotated[float, Meta(ge=0, le=1)] = 0.9
    consistency: Annotated[float, Meta(ge=-9, le=1)] = 0.25  # only where something is shown twice


SECTION = """
# Who is left out of what counts; nothing is deleted, and every number may be changed at any time.
[screening]
checks_failed = {checks_failed}  # so many attention checks answered otherwise, or more; 9: never
seconds_per_question = {seconds_per_question}  # less than this on half of the pages; 0: never
# More answers at one place of the list than the others: 0 as many, 1 all of them; 1: never.
same_position = {same_position}
# In a study about scenes, less agreement with the others: 1 as everybody, 0 by chance; -9: never.
agreement = {agreement}
alike = {alike}  # there, more than this share of the same answers as somebody before; 1: never
# In a study of ratings, where a clip was shown twice: 1 the same answers, 0 by chance; -9: never.
consistency = {consistency}
"""
