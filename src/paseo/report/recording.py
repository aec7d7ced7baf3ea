"""What a robot recorded, as a table and as JSON."""

from datetime import UTC, datetime
from typing import Any

from paseo.pipeline.drives.info import BagInfo, TopicInfo
from paseo.report.table import text_table
from paseo.text import in_a_line

LATEST = 253_402_300_799  # seconds since 1970, the end of the year 9999


def recording_text(info: BagInfo) -> str:
    """Its topics, then which of them a drive would be made of."""
    count = sum(topic.messages for topic in info.topics)
    begin = f", from {_date(info.start)}" if info.start is not None else ""
    what = "messages" if info.kind == "bag" else "pictures"
    title = (
        f"{in_a_line(info.path.name)}: {info.kind}, {info.duration:.1f} s{begin}, {count} {what}"
    )
    header = ("topic", "type", what, "Hz", "longest gap s", "begins s")
    rows = [
        (each.name, _short(each.type), each.messages, each.hz, each.longest_gap, each.first)
        for each in info.topics
    ]
    parts = [title, "", text_table(header, rows)]
    if info.uses:
        uses = [(each.role, each.topic, each.reason) for each in info.uses]
        parts += ["", text_table(("use as", "topic", "because"), uses)]
    return "\n".join(parts)


def recording_json(info: BagInfo) -> dict[str, Any]:
    """The same for programs."""
    return {
        "path": str(info.path),
        "kind": info.kind,
        "start_s": info.start,
        "duration_s": info.duration,
        "topics": [_topic(each) for each in info.topics],
        "use": {each.role: {"topic": each.topic, "reason": each.reason} for each in info.uses},
        "warnings": list(info.warnings),
    }


def _topic(topic: TopicInfo) -> dict[str, Any]:
    return {
        "name": topic.name,
        "type": topic.type,
        "messages": topic.messages,
        "hz": topic.hz,
        "longest_gap_s": topic.longest_gap,
        "first_s": topic.first,
    }


def _short(kind: str) -> str:
    """A type as people say it."""
    return kind.replace("/msg/", "/")


def _date(seconds: float) -> str:
    if not 0 <= seconds <= LATEST:
        return f"{seconds:.0f} s after 1970"
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
