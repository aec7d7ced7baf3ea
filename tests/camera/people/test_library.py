"""The people that ship: enough of them, all different, sound, and the same every time."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from paseo.camera.meshes import Age, Body, Sex, Surface
from paseo.camera.people.assembly import prepared
from paseo.camera.people.faces import face_map
from paseo.camera.people.library import SHIPPED, Library, body_for, checked_bytes, library
from paseo.camera.people.packing import Archive, packed_points, unpacked_points
from paseo.errors import BadFile

# Mean and deviation, metres: 5 feet 9 1/4 and 5 feet 3 3/4 inches (Fryar et al., Anthropometric
# Reference Data for Children and Adults: United States, 2011-2014, NCHS 2016), and 2.85 and 2.58
# inches (NCHS, Vital and Health Statistics 11(8), 1965, 18 to 79 years). Soles add 18 mm.
ADULTS = {Sex.MALE: (1.759, 0.072), Sex.FEMALE: (1.619, 0.066)}
# Girls of 7 and of 12 years: medians of the WHO growth reference 2007 (de Onis et al. 2007, Bull.
# WHO 85: 660-667); its deviation is 4.5 %. Boys are between.
CHILDREN = (1.208, 1.512)


@pytest.fixture(scope="module")
def bodies() -> tuple[Body, ...]:
    return library()


@pytest.fixture(scope="module")
def archive() -> Archive:
    return Archive(checked_bytes(SHIPPED))


def test_at_least_32_people_of_both_sexes_and_all_ages(bodies: tuple[Body, ...]) -> None:
    assert len(bodies) >= 32
    assert len({body.name for body in bodies}) == len(bodies)
    for sex, age in itertools.product(Sex, Age):
        assert sum(body.sex is sex and body.age is age for body in bodies) >= 3, (sex, age)


def test_library_is_under_10_mb() -> None:
    assert sum(file.stat().st_size for file in SHIPPED.parent.iterdir()) < 10_000_000


def test_no_two_people_have_the_same_face(archive: Archive) -> None:
    faces = []
    for person in archive.contents.people:
        eyes = archive.points(person, "eyes").mean(axis=0)
        head = archive.points(person, "head") - eyes
        front = ~archive.hidden(person, "head") & (head[:, 2] > -0.1) & (head[:, 0] > -0.1)
        faces.append((head / np.abs(head[front]).max(), front))
    for (one, seen), (other, too) in itertools.combinations(faces, 2):
        both = seen & too
        assert np.linalg.norm(one[both] - other[both], axis=1).mean() > 0.01


def test_at_least_32_faces_differ_in_shape_and_in_paint(
    archive: Archive, bodies: tuple[Body, ...]
) -> None:
    seen = [
        ~archive.hidden(person, "head") & (head[:, 2] > -0.1) & (head[:, 0] > -0.1)
        for person, head in zip(archive.contents.people, heads(archive), strict=True)
    ]
    front = np.logical_and.reduce(seen)
    shapes = [head[front] / np.abs(head[front]).max() for head in heads(archive)]
    paints = [face_paint(body) for body in bodies]
    counted: list[int] = []
    for one in range(len(bodies)):
        if all(
            np.linalg.norm(shapes[one] - shapes[other], axis=1).mean() > 0.02
            and np.abs(paints[one] - paints[other]).mean() > 3.0
            for other in counted
        ):
            counted.append(one)
    assert len(counted) >= 32


def heads(archive: Archive) -> list[np.ndarray]:
    """The points of every head, from between its eyes."""
    return [
        archive.points(person, "head") - archive.points(person, "eyes").mean(axis=0)
        for person in archive.contents.people
    ]


def face_paint(body: Body) -> np.ndarray:
    """The colours of a face, a few for each centimetre."""
    texture = next(each.texture for each in body.materials if each.name == "face")
    assert texture is not None
    return texture[::6, ::6, :3].astype(float)


def test_skins_hair_and_builds_are_many(archive: Archive, bodies: tuple[Body, ...]) -> None:
    looks = [person.look for person in archive.contents.people]
    assert len({look.skin for look in looks}) >= 7
    assert len({look.hair for look in looks}) >= 8
    shells = {
        piece.template
        for person in archive.contents.people
        for piece in person.pieces
        if piece.template.startswith("shell")
    }
    assert len(shells) >= 12, "hairstyles"
    for sex in Sex:
        grown = [each for each in bodies if each.sex is sex and each.age is not Age.CHILD]
        depths = [belly(body) / body.height for body in grown]
        assert max(depths) > 1.25 * min(depths), "thin and stout"


def belly(body: Body) -> float:
    """How deep somebody is at the navel, from front to back, clothes included and bags not."""
    mesh, names = body.levels[0].mesh, body.skeleton.names
    navel = body.skeleton.joints[names.index("spine_02")]
    worn = [not each.name.startswith(("backpack", "shoulder")) for each in body.materials]
    points = mesh.points[np.unique(mesh.triangles[np.array(worn)[mesh.material]])]
    near = (np.abs(points[:, 2] - navel[2]) < 0.02) & (np.abs(points[:, 1]) < 0.06)
    return float(np.ptp(points[near, 0]))


def test_no_two_people_wear_the_same(archive: Archive) -> None:
    outfits = [
        tuple((piece.template, tuple(piece.fabrics.items())) for piece in person.pieces)
        for person in archive.contents.people
    ]
    assert len({repr(each) for each in outfits}) == len(outfits)


def test_meshes_are_finite_and_carried_by_bones_that_sum_to_one(bodies: tuple[Body, ...]) -> None:
    for level in itertools.chain.from_iterable(body.levels for body in bodies):
        assert np.isfinite(level.mesh.points).all()
        assert np.isfinite(level.mesh.uv).all()
        np.testing.assert_allclose(np.linalg.norm(level.mesh.normals, axis=1), 1, atol=1e-4)
        np.testing.assert_allclose(level.bone_weights.sum(axis=1), 1, atol=1e-5)


def test_feet_are_on_the_ground_and_heads_at_their_height(bodies: tuple[Body, ...]) -> None:
    for body in bodies:
        points, names = body.levels[0].mesh.points, body.skeleton.names
        assert abs(points[:, 2].min()) < 0.002
        assert body.height - 0.01 < points[:, 2].max() < body.height + 0.09  # hair stands up
        head = body.skeleton.joints[names.index("head")]
        assert 0.80 < head[2] / body.height < 0.95
        assert 0.42 < body.leg_length / body.height < 0.58
        ankles = body.skeleton.joints[[names.index(f"foot_{side}") for side in "lr"]]
        assert abs(ankles[:, 1].mean()) < 0.01


def test_heights_are_those_of_people(bodies: tuple[Body, ...]) -> None:
    for body in bodies:
        if body.age is Age.CHILD:
            assert CHILDREN[0] * 0.91 < body.height < CHILDREN[1] * 1.09
        else:
            mean, deviation = ADULTS[body.sex]
            assert abs(body.height - mean) < 2.2 * deviation
    for sex, (mean, deviation) in ADULTS.items():
        heights = [body.height for body in bodies if body.sex is sex and body.age is Age.ADULT]
        assert abs(np.mean(heights) - mean) < deviation


def test_coarser_levels_are_coarser_and_use_no_point_left_out(bodies: tuple[Body, ...]) -> None:
    for body in bodies:
        counts = [len(level.mesh.triangles) for level in body.levels]
        assert counts == sorted(counts, reverse=True)
        assert counts[0] < 70_000
        assert counts[1] < 24_000
        assert counts[-1] < 4_000
        for mesh in (level.mesh for level in body.levels[2:]):
            _, shared = np.unique(mesh.points, axis=0, return_counts=True)
            assert shared.max() < 10  # points that were left out all lie at one place


@pytest.mark.parametrize("template", ["eyes", "backpack"])
def test_what_should_be_closed_is_closed(archive: Archive, template: str) -> None:
    shape = archive.template(template)
    triangles = shape.weld[shape.triangles[0]]
    if template == "backpack":
        triangles = triangles[shape.slots[0] == shape.names.index("main")]
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    _, count = np.unique(np.sort(edges, axis=1), axis=0, return_counts=True)
    assert (count == 2).all()


def test_there_are_fabrics_and_hair_that_lets_light_through(bodies: tuple[Body, ...]) -> None:
    for body in bodies:
        surfaces = {material.surface for material in body.materials}
        assert {Surface.SKIN, Surface.HAIR, Surface.EYE, Surface.CLOTH, Surface.LEATHER} <= surfaces
        hair = [each for each in body.materials if each.surface is Surface.HAIR]
        assert all(each.alpha_tested for each in hair)


def test_who_stands_for_an_id_never_changes() -> None:
    assert body_for(3) is body_for(3)
    assert [body_for(id).name for id in range(4)] == ["wei", "gus", "priya", "bela"]
    assert body_for("17").name == "bao"
    assert len({body_for(id, seed=5).name for id in range(len(Library()))}) >= 32


def test_painting_twice_gives_the_same_bytes(archive: Archive) -> None:
    person = archive.contents.people[4]
    face = face_map(*archive.face())
    one, other = (prepared(archive, person, face) for _ in range(2))
    assert all(one[name].tobytes() == other[name].tobytes() for name in one)


def test_points_come_back_within_a_fiftieth_of_a_millimetre() -> None:
    points = np.random.default_rng(0).uniform([-0.9, -0.9, 0.0], [0.9, 0.9, 2.1], (500, 3))
    assert np.abs(unpacked_points(packed_points(points)) - points).max() < 2.1e-5


def test_a_library_that_does_not_match_its_checksum_is_refused(tmp_path: Path) -> None:
    content = bytearray(SHIPPED.read_bytes())
    content[1000] ^= 1
    (tmp_path / "people.npz").write_bytes(content)
    (tmp_path / "people.sha256").write_bytes(SHIPPED.with_suffix(".sha256").read_bytes())
    with pytest.raises(BadFile, match="does not match its checksum"):
        library(tmp_path / "people.npz")


def test_a_library_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="is missing; reinstall paseo"):
        library(tmp_path / "people.npz")
