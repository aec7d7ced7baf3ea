"""The JSON schema of the protocol, made from its messages."""

import json
from typing import Any

import msgspec

from paseo.remote.websocket.messages import VERSION, Said, Told

PLACE = "#/$defs/{name}"


def protocol_schema() -> dict[str, Any]:
    """A schema with the definitions ClientMessage and ServerMessage, and one for each message."""
    (said, told), parts = msgspec.json.schema_components([Said, Told], ref_template=PLACE)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Paseo's protocol, version {VERSION}",
        "description": "Made from src/paseo/remote/websocket/messages.py; see protocol.md.",
        "anyOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/ServerMessage"}],
        "$defs": {"ClientMessage": said, "ServerMessage": told, **parts},
    }


def schema_text() -> str:
    """The schema as its file has it."""
    return json.dumps(protocol_schema(), indent=1) + "\n"
