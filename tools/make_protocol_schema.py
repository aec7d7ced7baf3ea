"""Write docs/reference/protocol.schema.json anew, from the messages of the protocol."""

from pathlib import Path

from paseo.remote.websocket.schema import schema_text

FILE = Path(__file__).parents[1] / "docs" / "reference" / "protocol.schema.json"

if __name__ == "__main__":
    FILE.write_text(schema_text())
    print(FILE)
