"""All that is fuzzed: every kind of file that a command reads."""

from fuzz.target import Target
from fuzz.targets import (
    camera,
    crowds,
    drives,
    exams,
    maps,
    reconstructions,
    runs,
    scenes,
    studies,
    waypoints,
)

TARGETS: dict[str, Target] = {
    target.name: target
    for room in (
        maps,
        crowds,
        drives,
        scenes,
        exams,
        camera,
        runs,
        studies,
        reconstructions,
        waypoints,
    )
    for target in room.TARGETS
}

# Commands without a target of their own, and why.
UNFUZZED = {
    "serve": "reads suites as run does; what comes over its sockets has tests of its own",
    "drive": "reads no file but the planner's own program",
    "play": "reads suites and run folders as run and compare do",
    "data fetch": "takes only files whose sums it knows",
    "scenes make": "reads no file",
    "audit": "reads run folders as compare does; its decisions have tests of their own",
    "loops": "reads run folders as audit does, and exams as score does",
    "bag mend": "reads drives and tracks as bag info and scenes cut do; its corrections have tests",
    "survey new": "reads scenes and wording as ask does, runs as compare does",
    "survey serve": "reads studies as survey export does; what people send has tests of its own",
    "survey metrics": "reads studies as survey export does",
    "list": "reads the data folder as data list does",
    "schema": "reads no file",
    "doctor": "reads no file of others",
}
