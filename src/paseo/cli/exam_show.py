"""`paseo exam show`."""

import argparse
import sys

from tqdm import tqdm

from paseo.errors import InputError
from paseo.files import write_whole
from paseo.report.exam.page import exam_page
from paseo.report.exam.transcript import transcript

ENDINGS = (".html", ".htm")


def show(options: argparse.Namespace) -> int:
    """Write the page, and print where."""
    if options.out.suffix.lower() not in ENDINGS:
        raise InputError(f"{options.out}: this is a web page, expected .html; rename it")
    if not options.out.parent.is_dir():  # told now, not after minutes of drawing
        raise InputError(
            f"{options.out}: there is no folder {options.out.parent}; make it or choose another"
        )
    exam = transcript(options.exam, scenes=options.scenes, labels=options.labels)
    for note in exam.notes:
        print(f"paseo: {note}", file=sys.stderr)
    total = len(exam.plan.scenes) if options.pictures else 0
    with tqdm(total=total, unit="scene", disable=None, file=sys.stderr, desc="drawing") as bar:
        page = exam_page(exam, pictures=options.pictures, progress=lambda _: bar.update())
    write_whole(options.out, page)
    print(options.out)
    return 0
