"""The votes so far: what those who count have said about the scenes they have finished."""

from collections.abc import Collection, Mapping

from paseo.survey.store.content import Sheet, StudyContent, whole_sheets
from paseo.survey.study.folder import Study

Sheets = Mapping[str, Mapping[str, Sheet]]  # by scene and person's name


def sheets_so_far(
    study: Study, content: StudyContent, *, left_out: Collection[str] = ()
) -> dict[str, dict[str, Sheet]]:
    """What counts: by scene and person, all answers of who has finished the scene.

    `left_out` names people who are not to count, such as those who were screened out.
    """
    counted = {
        each.number: each.name
        for each in content.people
        if each.stage.counts and each.name not in left_out
    }
    found: dict[str, dict[str, Sheet]] = {scene: {} for scene in study.scenes}
    for number, sheets in whole_sheets(study, content, counted).items():
        for scene, sheet in sheets.items():
            found[scene][counted[number]] = sheet
    return {scene: sheets for scene, sheets in found.items() if sheets}
