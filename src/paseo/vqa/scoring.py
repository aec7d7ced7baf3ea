"""Answers held against people's, whichever way they were collected."""

from pathlib import Path

from paseo.vqa.questions.answer_files import read_answer_files
from paseo.vqa.questions.sheets import Sheet

EXAM, LOG = "exam.json", ".eval"


def read_sheet(folder: Path) -> Sheet:
    """The answers in an exam's directory, a folder of answer files, or a log of inspect_ai."""
    if folder.suffix == LOG and folder.is_file():
        from paseo.vqa.export.inspect_log import log_sheet  # needs the extra `inspect`

        return log_sheet(folder)
    if (folder / EXAM).is_file():
        from paseo.vqa.exam.results import exam_sheet  # pulls in all that an exam needs

        return exam_sheet(folder)
    return read_answer_files(folder)
