"""`paseo audit`."""

import argparse
from pathlib import Path

from paseo.cli.arguments import Commands, add_command, natural, positive
from paseo.cli.screen import bars, json_text, output


def add_audit_command(commands: Commands) -> None:
    """`paseo audit`."""
    audit = add_command(
        commands,
        "audit",
        "find which misunderstanding of a model that drove costs contacts",
        "vqa.audit",
        "audit",
    )
    audit.add_argument("run", type=Path, metavar="RUN_DIR", help="of the planner vlm")
    audit.add_argument("--model", metavar="M", help="whose drives, where several models drove")
    audit.add_argument(
        "--horizon-s", type=float, default=4.0, metavar="S",
        help="after a decision, in which contacts count (default: 4)",
    )  # fmt: skip
    audit.add_argument(
        "--controls", type=natural, default=20, metavar="N",
        help="decisions of each kind at which a right answer is made wrong (default: 20)",
    )  # fmt: skip
    audit.add_argument("--seed", type=natural, default=0, metavar="N", help="default: 0")
    audit.add_argument("--jobs", type=positive, default=1, metavar="N", help="default: 1")
    audit.add_argument("--json", action="store_true", help="print as JSON")


def audit(options: argparse.Namespace) -> int:
    """Audit a run and print what came out."""
    from paseo.report.walk.audit import audit_json, audit_text
    from paseo.suite.audit.auditing import AuditOptions, audit_run

    how = AuditOptions(
        planner=options.model,
        horizon=options.horizon_s,
        controls=options.controls,
        seed=options.seed,
        jobs=options.jobs,
    )
    with bars() as progress:
        found = audit_run(options.run, how, progress=progress)
    output(json_text(audit_json(found)) if options.json else audit_text(found))
    return 0
