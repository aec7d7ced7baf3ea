"""An examination of a crowd in words."""

import textwrap

from paseo.crowd_check.examination import Examination
from paseo.crowd_check.findings import Finding, Severity
from paseo.errors import Spelling
from paseo.text import in_a_line

WIDTH = 100
WORDS = {Severity.WRONG: ("WRONG", "what to do"), Severity.UNUSUAL: ("unusual", "if it is wrong")}


def examination_text(examination: Examination, spelling: Spelling = str) -> str:
    """What was found, what to do about it, and what could not be looked at."""
    recording = examination.recording
    first = min((track.times[0] for track in recording.tracks), default=0.0)
    last = max((track.times[-1] for track in recording.tracks), default=0.0)
    lines = [
        f"{in_a_line(recording.name)}: {len(recording.tracks)} people, {last - first:.1f} s at "
        f"{recording.fps:g} frames/s"
    ]
    for finding in examination.findings:
        lines += _finding_lines(finding, spelling)
    if not examination.wrong:
        lines.append("nothing wrong found")
    for sentence in examination.spelled_unchecked(spelling):
        lines += _wrapped("not checked: ", sentence)
    return "\n".join(lines)


def _finding_lines(finding: Finding, spelling: Spelling) -> list[str]:
    word, advice = WORDS[finding.severity]
    beginning = f"{word} {finding.doubt.value} ({finding.sure:.0%} sure): "
    return [
        *_wrapped(beginning, finding.what),
        *_wrapped(f"    {advice}: ", finding.spelled_fix(spelling)),
    ]


def _wrapped(beginning: str, text: str) -> list[str]:
    return textwrap.wrap(
        in_a_line(beginning + text), WIDTH, subsequent_indent="    ", break_on_hyphens=False,
        break_long_words=False,
    )  # fmt: skip
