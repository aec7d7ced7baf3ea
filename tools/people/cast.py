"""Who is in the library: figures, looks and clothes of every person."""

from dataclasses import dataclass
from pathlib import Path

from basis import Figure

Colour = tuple[float, float, float]
SKINS: dict[str, Colour] = {
    "pale": (0.83, 0.66, 0.58),
    "fair": (0.80, 0.61, 0.51),
    "warm": (0.75, 0.56, 0.44),
    "olive": (0.69, 0.50, 0.38),
    "tan": (0.61, 0.43, 0.32),
    "brown": (0.52, 0.35, 0.25),
    "dark": (0.39, 0.26, 0.19),
    "deep": (0.29, 0.195, 0.15),
}
HAIRS: dict[str, Colour] = {
    "black": (0.100, 0.086, 0.078),
    "dark": (0.16, 0.11, 0.08),
    "brown": (0.28, 0.18, 0.11),
    "chestnut": (0.36, 0.20, 0.12),
    "red": (0.50, 0.24, 0.11),
    "sand": (0.50, 0.38, 0.24),
    "blond": (0.68, 0.54, 0.34),
    "silver": (0.62, 0.61, 0.60),
    "white": (0.82, 0.81, 0.79),
}
IRISES: dict[str, Colour] = {
    "brown": (0.27, 0.16, 0.09),
    "dark": (0.17, 0.10, 0.06),
    "hazel": (0.36, 0.28, 0.14),
    "green": (0.30, 0.38, 0.25),
    "blue": (0.30, 0.42, 0.56),
    "grey": (0.40, 0.44, 0.47),
}
DYES: dict[str, Colour] = {
    "white": (0.87, 0.86, 0.84),
    "cream": (0.85, 0.81, 0.74),
    "black": (0.11, 0.11, 0.12),
    "charcoal": (0.22, 0.22, 0.24),
    "grey": (0.48, 0.48, 0.50),
    "heather": (0.64, 0.64, 0.66),
    "navy": (0.15, 0.17, 0.23),
    "indigo": (0.20, 0.23, 0.31),
    "denim": (0.31, 0.37, 0.46),
    "wash": (0.50, 0.56, 0.63),
    "sky": (0.62, 0.69, 0.77),
    "royal": (0.22, 0.29, 0.45),
    "teal": (0.20, 0.35, 0.36),
    "green": (0.24, 0.33, 0.27),
    "olive": (0.34, 0.34, 0.25),
    "sage": (0.55, 0.59, 0.52),
    "mustard": (0.70, 0.57, 0.30),
    "khaki": (0.62, 0.56, 0.46),
    "camel": (0.62, 0.50, 0.38),
    "brown": (0.34, 0.26, 0.21),
    "rust": (0.55, 0.32, 0.22),
    "red": (0.58, 0.20, 0.19),
    "wine": (0.34, 0.17, 0.20),
    "pink": (0.80, 0.64, 0.66),
    "coral": (0.78, 0.52, 0.46),
    "lilac": (0.64, 0.59, 0.70),
    "plum": (0.36, 0.25, 0.35),
}
BAG_DYES = ("charcoal", "brown", "navy", "olive", "black", "camel", "grey", "wine")
RACES = {"e": "caucasian", "a": "african", "s": "asian"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One row of the cast."""

    name: str
    sex: str
    age: str  # child, adult or elderly
    years: int
    height: float  # metres, without shoes
    build: tuple[float, float]  # muscle and weight, 0 to 1
    race: dict[str, float]
    skin: str
    hair: tuple[str, str]  # style and colour
    iris: str
    grey: float = 0.0
    stubble: float = 0.0
    clothes: dict[str, str]  # role to garment
    fabrics: dict[str, tuple[str, ...]]  # role to weave, dye and second dye
    bag: str = ""
    hat: str = ""

    def figure(self) -> Figure:
        """As MakeHuman's sliders have it."""
        if self.years < 18:
            age = 0.1875 + (self.years - 9) / (20 - 9) * (0.5 - 0.1875)
        else:
            age = 0.5 + (self.years - 22) / 60 * 0.5
        return Figure(
            male=1.0 if self.sex == "male" else 0.0,
            age=min(max(age, 0.10), 1.0),
            muscle=self.build[0],
            weight=self.build[1],
            height=0.5,
            cup=0.45,
            race=self.race,
        )


def _person(line: str) -> Person:
    """A row of `cast.txt`, whose first line names its columns."""
    cells = [cell.strip() for cell in line.split("|")]
    name, who, build, race, looks, clothes, extras = cells
    sex, years, height = who.split()
    style, hair, skin, iris, *rest = looks.split()
    numbers = {key: float(value) for key, value in (each.split("=") for each in rest)}
    mix = {RACES[each[0]]: float(each[1:] or 100) for each in race.split()}
    wear: dict[str, str] = {}
    fabrics: dict[str, tuple[str, ...]] = {}
    for each in clothes.split():
        role, garment, *fabric = each.split(":")
        wear[role] = garment
        fabrics[role] = tuple(fabric)
    more = dict(each.split("=") for each in extras.split())
    muscle, weight = build.split()
    return Person(
        name=name,
        sex={"f": "female", "m": "male"}[sex],
        age="child" if int(years) < 15 else "elderly" if int(years) >= 65 else "adult",
        years=int(years),
        height=float(height) / 100,
        build=(float(muscle) / 100, float(weight) / 100),
        race={key: value / sum(mix.values()) for key, value in mix.items()},
        skin=skin,
        hair=(style, hair),
        iris=iris,
        grey=numbers.get("grey", 0.0),
        stubble=numbers.get("stubble", 0.0),
        clothes=wear,
        fabrics=fabrics,
        bag=more.get("bag", ""),
        hat=more.get("hat", ""),
    )


def cast() -> tuple[Person, ...]:
    """Everybody, in the order of the library."""
    lines = Path(__file__).with_suffix(".txt").read_text().splitlines()
    return tuple(_person(line) for line in lines if not line.startswith("#"))
