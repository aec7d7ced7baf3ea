"""What the categories of questions are called in tables and on pages."""

from paseo.vqa.questions.questions import SOCIAL, SPATIAL, SPATIOTEMPORAL, Catalogue
from paseo.vqa.scores.breakdown import ALL

NAMES = {
    ALL: "All",
    SPATIAL: "Spatial reasoning",
    SPATIOTEMPORAL: "Spatiotemporal reasoning",
    SOCIAL: "Social reasoning",
}


def categories(catalogue: Catalogue) -> dict[str, str]:
    """All questions and each category of them, by the words over their column."""
    return {each: NAMES.get(each, each.capitalize()) for each in (ALL, *catalogue.categories)}
