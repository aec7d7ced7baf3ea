"""Whether answers and labels belong to the same scenes."""

from paseo.data.scenes.origin import is_staged
from paseo.errors import BadValue, InputError
from paseo.vqa.questions.votes import Labels, check_origin
from paseo.vqa.scores.sheets import Sheet


def check_about(sheet: Sheet, labels: Labels) -> None:
    """Refuse answers about other scenes than those that people voted on.

    Of an exam it is known which scenes it asked about. Answers from elsewhere have only ids: some
    that the labels do not know are told with the scores.
    """
    whose, asked = sheet.source or sheet.model, {scene for scene, _ in sheet.answers}
    votes = labels.source or "use"
    if sheet.staged is not None or any(map(is_staged, asked)):
        check_origin(labels, staged=sheet.staged is not False, whose=whose)
    try:
        labels.catalogue.check_alike(sheet.catalogue)
    except BadValue as error:
        raise InputError(f"{whose} and the votes in {votes}: {error}") from error
    if sheet.people and asked and asked.isdisjoint(labels.scenes):
        raise InputError(
            f"{whose}: holds answers about {min(asked)} and {len(asked) - 1} other scenes, but the "
            f"votes in {votes} are on none of them; give labels of the same scenes",
            parameters=["labels"],
        )
    for each in labels.questions:
        if each.person and each.person not in sheet.people.get(each.scene, (each.person,)):
            raise InputError(
                f"{whose}: was asked about another scene {each.scene} than the votes in {votes} "
                f"are on, in which somebody has number {each.person}; give labels of the same "
                "scenes",
                parameters=["labels"],
            )
