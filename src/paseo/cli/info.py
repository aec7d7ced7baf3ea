"""`paseo schema` and `paseo doctor`."""

import argparse
import json

from paseo.cli.arguments import Commands, add_command, add_data_option


def add_info_commands(commands: Commands) -> None:
    """Say how files are written, and what is installed."""
    schema = add_command(
        commands, "schema", "print the JSON schema of suite files", "info", "schema"
    )
    schema.add_argument(
        "kind",
        nargs="?",
        choices=["suite", "robot", "priorities"],
        default="suite",
        help="default: suite",
    )
    doctor = add_command(
        commands, "doctor", "say what is installed and where data is", "info", "doctor"
    )
    add_data_option(doctor)


def schema(options: argparse.Namespace) -> int:
    """Print the JSON schema of suite or robot files."""
    from paseo.data.suites.schemas import schema as schema_of

    print(json.dumps(schema_of(options.kind), indent=1))
    return 0


def doctor(options: argparse.Namespace) -> int:
    """Say what is installed, what each extra would add, and where data is."""
    from paseo.suite.diagnosis import diagnosis

    found = diagnosis(options.data)
    kernels = "compiled" if found.kernels_are_compiled else "not yet compiled: the first run will"
    print(f"paseo     {found.paseo} on Python {found.python}")
    print(f"machine   {found.machine}, {found.cores} cores")
    print(f"kernels   {kernels}")
    packages = ", ".join(f"{each.name} {each.version or 'MISSING'}" for each in found.packages)
    print(f"packages  {packages}")
    for extra in found.extras:
        state = "installed"
        if extra.missing:
            state = f"pip install 'paseo[{extra.name}]' adds {', '.join(extra.missing)}"
        print(f"extra     {extra.name} ({extra.purpose}): {state}")
    there = "" if found.data.is_dir() else " (no such folder; set PASEO_DATA)"
    print(f"data      {found.data}{there}")
    for recording in found.recordings:
        fetch = f"get it with `paseo data fetch {recording.name}`"
        remedy = fetch if recording.can_be_fetched else "import it again"
        print(f"          {recording.name}: {recording.file or f'missing; {remedy}'}")
    return 0
