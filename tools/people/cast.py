"""Who is in the library: figures, looks and clothes of every person."""

from dataclasses import dataclass

from basis import Figure

Colour = tuple[float, float, float]
SKINS: dict[str, Colour] = {
    "pale": (0.90, 0.74, 0.66),
    "fair": (0.87, 0.68, 0.58),
    "warm": (0.80, 0.60, 0.47),
    "olive": (0.74, 0.55, 0.41),
    "tan": (0.66, 0.47, 0.34),
    "brown": (0.52, 0.35, 0.25),
    "dark": (0.39, 0.26, 0.19),
    "deep": (0.29, 0.195, 0.15),
}
HAIRS: dict[str, Colour] = {
    "black": (0.075, 0.065, 0.06),
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
    "white": (0.90, 0.89, 0.87),
    "cream": (0.87, 0.82, 0.72),
    "black": (0.09, 0.09, 0.10),
    "charcoal": (0.22, 0.22, 0.24),
    "grey": (0.48, 0.48, 0.50),
    "heather": (0.64, 0.64, 0.66),
    "navy": (0.12, 0.16, 0.28),
    "indigo": (0.17, 0.24, 0.40),
    "denim": (0.27, 0.38, 0.55),
    "wash": (0.46, 0.57, 0.71),
    "sky": (0.56, 0.70, 0.85),
    "royal": (0.16, 0.30, 0.62),
    "teal": (0.10, 0.40, 0.42),
    "green": (0.17, 0.38, 0.24),
    "olive": (0.35, 0.36, 0.21),
    "sage": (0.56, 0.62, 0.50),
    "mustard": (0.80, 0.61, 0.20),
    "khaki": (0.66, 0.57, 0.42),
    "camel": (0.69, 0.51, 0.33),
    "brown": (0.36, 0.24, 0.16),
    "rust": (0.64, 0.31, 0.16),
    "red": (0.70, 0.15, 0.15),
    "wine": (0.38, 0.12, 0.18),
    "pink": (0.86, 0.58, 0.64),
    "coral": (0.88, 0.46, 0.38),
    "lilac": (0.66, 0.58, 0.76),
    "plum": (0.37, 0.20, 0.36),
}
RACES = {"e": "caucasian", "a": "african", "s": "asian"}
AGES = {"child": 0.0, "adult": 0.0, "elderly": 1.0}


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
    """A row of the table: see `TABLE`."""
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


# name | sex, years, height in cm | muscle, weight | race | hair, its colour, skin, eyes | clothes
TABLE = """
ada     | f 24 163 | 50 42 | e       | long dark fair green            | top:slim_tee:stripe:white:navy bottom:jeans:denim:denim:wash shoes:trainers:leather:white | bag=backpack
bela    | m 31 179 | 60 52 | e       | parted brown fair blue stubble=.25 | inner:tee:jersey:white top:jacket:plain:navy bottom:chinos:plain:khaki shoes:low:leather:brown |
chike   | m 27 183 | 72 48 | a       | buzz black deep dark            | top:tee:jersey:mustard bottom:jeans:denim:indigo:denim shoes:trainers:leather:white |
dina    | f 35 168 | 50 55 | e60 a40 | wavy dark olive brown           | top:bodice:print:teal:cream skirt:skirt:print:teal:cream shoes:low:leather:camel | bag=shoulder
emil    | m 45 176 | 45 72 | e       | receding sand pale grey grey=.3 stubble=.2 | top:polo:jersey:royal bottom:chinos:plain:grey shoes:low:leather:black |
fumi    | f 29 159 | 45 40 | s       | bob black warm dark             | top:coat:tweed:camel:brown inner:jumper:knit:cream tails:coat_tails:tweed:camel:brown bottom:slim:plain:black shoes:boots:leather:black |
goran   | m 38 186 | 66 64 | e       | crop dark warm hazel stubble=.75 | top:hoodie:jersey:charcoal bottom:jeans:denim:indigo:wash shoes:trainers:leather:grey | bag=backpack
hana    | f 21 166 | 52 38 | s70 e30 | ponytail dark fair brown        | top:tank:jersey:coral bottom:short_shorts:denim:wash:white shoes:trainers:leather:white |
ivo     | m 24 174 | 55 45 | e       | curls chestnut fair green       | top:shirt:plaid:red:navy bottom:slim:denim:charcoal:grey shoes:boots:leather:brown |
jamila  | f 33 170 | 52 60 | a       | afro black dark dark            | top:blouse:print:mustard:rust bottom:wide:plain:navy shoes:low:leather:brown | bag=shoulder
kofi    | m 52 178 | 62 62 | a       | crop black deep dark grey=.35 stubble=.4 | inner:shirt:plain:sky top:jacket:tweed:grey:charcoal bottom:chinos:plain:charcoal shoes:low:leather:black |
lucia   | f 42 164 | 45 66 | e80 s20 | bun brown olive brown           | inner:tee:jersey:white top:cardigan:knit:sage bottom:slim:denim:indigo:denim shoes:low:leather:camel |
marek   | m 29 188 | 70 50 | e       | swept blond pale blue stubble=.15 | top:tee:stripe:white:royal bottom:shorts:plain:khaki shoes:trainers:leather:navy |
noor    | f 26 161 | 48 46 | e60 a20 s20 | long black tan brown         | top:jumper:knit:plum skirt:long:plain:charcoal shoes:boots:leather:black | bag=shoulder
oskar   | m 34 172 | 48 58 | e       | fringe red pale blue stubble=.85 | top:shirt:plain:olive bottom:jeans:denim:denim:wash shoes:boots:leather:camel |
priya   | f 30 162 | 45 50 | e50 s30 a20 | ponytail black brown dark    | top:shirt:stripe:white:sky bottom:chinos:plain:navy shoes:low:leather:black | bag=backpack
quim    | m 22 177 | 56 36 | e       | short dark olive brown          | top:hoodie:jersey:green bottom:slim:plain:black shoes:trainers:leather:white | bag=backpack
rosa    | f 55 165 | 42 72 | e       | bob chestnut fair hazel grey=.2 | top:tucked:dots:navy:white skirt:pencil:plain:wine shoes:low:leather:black | bag=shoulder
samir   | m 41 181 | 58 66 | e60 a30 | short black tan dark stubble=.8 grey=.1 | top:zip:plain:charcoal bottom:jeans:denim:indigo:denim shoes:trainers:leather:black |
tove    | f 38 172 | 56 44 | e       | ponytail blond pale grey        | top:zip:plain:teal bottom:leggings:jersey:black shoes:trainers:leather:coral |
umar    | m 25 180 | 64 44 | a80 e20 | afro black brown dark           | top:tee:print:black:heather bottom:chinos:plain:olive shoes:trainers:leather:white | 
vera    | f 48 167 | 46 58 | e       | short silver fair blue          | top:vneck:knit:wine bottom:wide:plain:charcoal shoes:low:leather:black |
wei     | m 36 171 | 50 54 | s       | parted black warm dark          | top:shirt:plain:white bottom:chinos:plain:navy shoes:low:leather:brown | bag=shoulder
xenia   | f 23 169 | 50 36 | e       | wavy red pale green             | top:bodice_sleeves:dots:red:cream skirt:mini:dots:red:cream shoes:boots:leather:black |
yusuf   | m 58 175 | 52 70 | e70 a30 | fringe dark tan brown grey=.5 stubble=.6 | top:jumper:knit:navy bottom:chinos:plain:brown shoes:low:leather:brown |
zola    | f 28 174 | 58 50 | a       | bun black deep dark             | inner:slim_tee:jersey:white top:jacket:leather:black bottom:slim:denim:charcoal:grey shoes:boots:leather:black |
anton   | m 33 184 | 54 78 | e       | crop sand fair green stubble=.5 | top:tee:jersey:wine bottom:shorts:denim:indigo:denim shoes:trainers:leather:grey |
bao     | f 44 160 | 45 52 | s       | short black warm dark           | top:coat:plain:navy inner:vneck:knit:heather tails:coat_tails:plain:navy bottom:slim:plain:charcoal shoes:boots:leather:brown |
carl    | m 74 174 | 40 58 | e       | fringe white pale blue          | inner:shirt:plaid:cream:brown top:jacket:tweed:brown:camel bottom:chinos:plain:grey shoes:low:leather:brown |
dorte   | f 71 159 | 38 64 | e       | curls white pale grey           | top:cardigan:knit:lilac inner:tee:jersey:cream skirt:pencil:tweed:grey:charcoal shoes:low:leather:black | bag=shoulder
edwin   | m 69 172 | 45 70 | a       | buzz silver dark dark stubble=.4 | top:polo:jersey:green bottom:chinos:plain:khaki shoes:low:leather:brown |
fatma   | f 67 157 | 40 72 | e70 s30 | bun silver olive brown          | top:blouse:print:plum:lilac skirt:long:plain:black shoes:low:leather:black |
gus     | m 81 169 | 36 50 | e       | receding white fair blue        | top:jumper:knit:mustard bottom:chinos:plain:charcoal shoes:low:leather:brown |
hisako  | f 76 152 | 38 48 | s       | short silver warm dark          | top:zip:plain:lilac bottom:chinos:plain:grey shoes:trainers:leather:white | bag=backpack
ines    | f 8 127  | 50 46 | e       | ponytail brown fair brown       | top:tucked:stripe:white:coral skirt:mini:denim:denim:wash shoes:trainers:leather:white |
jonas   | m 9 133  | 50 50 | e       | short sand pale blue            | top:tee:stripe:mustard:navy bottom:shorts:plain:navy shoes:trainers:leather:red | bag=backpack
kirra   | f 11 144 | 50 44 | a60 e40 | curls black brown dark          | top:hoodie:jersey:lilac bottom:leggings:jersey:charcoal shoes:trainers:leather:white |
leo     | m 7 122  | 50 52 | a       | crop black dark dark            | top:tee:print:sky:royal bottom:jeans:denim:denim:wash shoes:trainers:leather:navy |
mei     | f 10 138 | 50 44 | s       | long black warm dark            | top:bodice_sleeves:print:pink:cream skirt:skirt:print:pink:cream shoes:low:leather:wine |
niko    | m 12 150 | 52 58 | e       | curls dark olive brown          | top:zip:plain:red bottom:jeans:denim:indigo:denim shoes:trainers:leather:grey | bag=backpack
"""


def cast() -> tuple[Person, ...]:
    """Everybody, in the order of the library."""
    return tuple(_person(line) for line in TABLE.strip().splitlines())
