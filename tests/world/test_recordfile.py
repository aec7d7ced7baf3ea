"""Record files: same record, same bytes; damaged files, one sentence; full disks, no debris."""

import io
import json
import math
import struct
import time
import zipfile
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from paseo.errors import BadFile, BadValue
from paseo.sim.simulate import simulate
from paseo.world.clocks import WAITING, ClockName, Late, Thinking, Timekeeping
from paseo.world.motion import Control, Pose, Robot, Twist
from paseo.world.recordfile import load_record, record_bytes, save_record
from paseo.world.records import Contact, Outcome, Provenance, Record
from paseo.world.scenarios import Gait, Missing, Pause, Reaction, Scenario, Sensor
from paseo.world.space.floorplan import InferredFrom, Place, PlaceKind, told_inferred
from paseo.world.tracks import Track
from worlds import Driver, crossing, plan, scenario, walk

CLOSET = replace(plan("closet", (0, 0, 3, 2)), places=(Place("door", PlaceKind.DOOR, 0.0, 1.0),))
GAPPED = walk(4, (0, 1, 1), (0.1, np.nan, np.nan), (0.2, 1, 1.2))
EPISODE = scenario(
    walk(2, (0.0, 2.5, 1.0), (1.0, 0.5, 1.0)),
    GAPPED,
    floorplan=CLOSET,
    start=Pose(0.5, 1.0),
    goal=Pose(2.5, 1.0),
    sensor=Sensor(range=5.0),
    time_limit=1.0,
)
RECORD = simulate(EPISODE, Driver(Twist(0.5, 0.1)))
CONTENT = record_bytes(RECORD)

numbers = st.floats(-9e4, 9e4)
positive = st.floats(1e-3, 1e3)
limits = positive | st.just(math.inf)
poses = st.builds(Pose, numbers, numbers, numbers)
robots = st.builds(
    Robot,
    name=st.text(),
    radius=positive,
    max_speed=positive,
    max_reverse_speed=limits,
    max_turn=limits,
    max_acceleration=limits,
    wall_radius=st.none() | st.floats(0, 1e3),
)
sensors = st.builds(
    Sensor, range=limits, occlusion=st.booleans(), miss_rate=st.floats(0, 1), delay=positive
)
scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats() | st.text()
provenances = st.builds(
    Provenance,
    paseo_version=st.text(),
    planner=st.text(),
    control=st.sampled_from(Control),
    parameters=st.dictionaries(st.text(), scalars, max_size=3),
    clock=st.text(),
    timekeeping=st.builds(
        Timekeeping,
        clock=st.just(ClockName.CHARGED),
        latency_s=st.none() | st.integers(0, 9) | positive,
        thinking=st.sampled_from(Thinking),
        late=st.sampled_from(Late),
        repeat_limit_s=st.none() | positive,
    )
    | st.sampled_from([WAITING, Timekeeping(clock=ClockName.ASYNC, repeat_limit_s=2.5)]),
)


@st.composite
def tracks(draw, person):
    count = draw(st.integers(1, 4))
    positions = draw(arrays(float, (count, 2), elements=numbers))
    positions[1:-1][draw(arrays(bool, max(count - 2, 0)))] = np.nan
    return Track(person, np.arange(count) * draw(positive), positions)


@st.composite
def records(draw):
    people = sorted(draw(st.sets(st.integers(-(2**63), 2**63 - 1), max_size=3)))
    states = draw(st.integers(1, 4))
    steps = st.integers(0, states - 1)
    touches = st.builds(
        Contact,
        person=st.sampled_from(people),
        first_step=st.just(0),
        last_step=steps,
        x=numbers,
        y=numbers,
        counted=st.booleans(),
    )
    task = Scenario(
        name=draw(st.text()),
        floorplan=CLOSET,
        start=draw(poses),
        goal=draw(poses),
        tracks=tuple(draw(tracks(person)) for person in people),
        groups=tuple(draw(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=2))),
        robot=draw(robots),
        sensor=draw(sensors),
        pause=draw(st.none() | st.builds(Pause, duration=positive, cooldown=positive)),
        seed=draw(st.integers(0, 2**63 - 1)),
        data_hashes=draw(st.dictionaries(st.text(), st.text(), max_size=2)),
    )
    place = numbers | st.just(math.nan)
    seen = draw(st.none() | arrays(float, (states, len(people), 2), elements=place))
    return Record(
        scenario=task,
        provenance=draw(provenances),
        outcome=draw(st.sampled_from(Outcome)),
        reason=draw(st.text()),
        robot=draw(arrays(float, (states, 3), elements=numbers)),
        commands=draw(arrays(float, (states - 1, 3), elements=place)),
        people=draw(arrays(float, (states, len(people), 2), elements=place)),
        seen=seen,
        contacts=tuple(draw(st.lists(touches, max_size=3))) if people else (),
    )


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("records") / "record.npz"


def loaded(file, content):
    file.write_bytes(content)
    return load_record(file)


def repacked(**changes):
    """The record's file with members changed; None leaves one out."""
    members = {**np.load(io.BytesIO(CONTENT)), **changes}
    buffer = io.BytesIO()
    np.savez(buffer, **{name: array for name, array in members.items() if array is not None})
    return buffer.getvalue()


def with_header(change):
    header = json.loads(np.load(io.BytesIO(CONTENT))["header"].tobytes())
    change(header)
    return repacked(header=np.frombuffer(json.dumps(header).encode(), np.uint8))


@given(records())
def test_what_is_saved_is_loaded_and_saving_it_again_gives_the_same_bytes(file, record):
    content = record_bytes(record)
    again = loaded(file, content)
    assert record_bytes(again) == content
    for name in ("robot", "commands", "people", "seen", "ids"):
        np.testing.assert_array_equal(getattr(again, name), getattr(record, name))
    for name in ("outcome", "reason", "contacts", "verdict"):
        assert getattr(again, name) == getattr(record, name)
    for name in ("name", "start", "goal", "groups", "robot", "sensor", "pause", "seed"):
        assert getattr(again.scenario, name) == getattr(record.scenario, name)
    for old, new in zip(record.scenario.tracks, again.scenario.tracks, strict=True):
        np.testing.assert_array_equal(old.times, new.times)
        np.testing.assert_array_equal(old.positions, new.positions)


def test_the_floor_plan_travels_with_the_record(file):
    again = loaded(file, CONTENT).scenario.floorplan
    np.testing.assert_array_equal(again.walls, CLOSET.walls)
    np.testing.assert_array_equal(again.free, CLOSET.free)
    assert (again.places, again.origin, again.name) == (CLOSET.places, CLOSET.origin, CLOSET.name)


def test_a_loaded_episode_can_be_run_again_to_the_same_bytes(file):
    old = loaded(file, CONTENT)
    new = simulate(old.scenario, Driver(Twist(0.5, 0.1)), provenance=old.provenance)
    assert record_bytes(new) == CONTENT


def test_any_numpy_reads_the_file_without_pickle_and_it_says_its_version():
    with np.load(io.BytesIO(CONTENT), allow_pickle=False) as members:
        assert all(members[name].dtype != object for name in members.files)
        header = json.loads(members["header"].tobytes())
    assert (header["format"], header["version"]) == ("paseo-record", 1)


def test_the_file_says_nothing_of_when_and_where_it_was_made():
    stamps = {m.date_time for m in zipfile.ZipFile(io.BytesIO(CONTENT)).infolist()}
    assert stamps == {(1980, 1, 1, 0, 0, 0)}


def test_integers_and_numpy_numbers_give_the_bytes_of_plain_floats():
    task = replace(EPISODE, start=Pose(*np.array([0.5, 1.0, 0.0])), time_limit=1, goal_radius=1)
    numpy_record = replace(RECORD, scenario=task)
    plain = replace(RECORD, scenario=replace(EPISODE, time_limit=1.0, goal_radius=1.0))
    assert record_bytes(numpy_record) == record_bytes(plain)


def test_the_layout_of_arrays_in_memory_does_not_matter():
    assert record_bytes(replace(RECORD, people=np.asfortranarray(RECORD.people))) == CONTENT


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, np.float64("inf")])
def test_parameters_json_has_no_number_for_are_spelled_out(file, value):
    made = replace(RECORD.provenance, parameters={"horizon": value})
    again = loaded(file, record_bytes(replace(RECORD, provenance=made)))
    assert again.provenance.parameters == {"horizon": str(float(value))}


def test_a_robot_whose_walls_count_from_its_radius_is_written_as_before_there_were_others():
    def header(content):
        with np.load(io.BytesIO(content), allow_pickle=False) as members:
            return json.loads(members["header"].tobytes())["scenario"]["robot"]

    thin = replace(EPISODE, robot=replace(EPISODE.robot, wall_radius=0))
    assert "wall_radius" not in header(CONTENT)
    assert header(record_bytes(replace(RECORD, scenario=thin)))["wall_radius"] == 0.0


def test_people_who_walk_as_recorded_are_written_as_before_there_were_gaits(file):
    natural = replace(RECORD, scenario=replace(EPISODE, gait=Gait.NATURAL))
    assert "gait" not in header_of(CONTENT)["scenario"]
    assert header_of(record_bytes(natural))["scenario"]["gait"] == "natural"
    assert loaded(file, record_bytes(natural)).scenario.gait is Gait.NATURAL
    assert loaded(file, CONTENT).scenario.gait is Gait.RECORDED


def header_of(content):
    with np.load(io.BytesIO(content)) as members:
        return json.loads(members["header"].tobytes())


FAILED = {"outcome": Outcome.PLANNER_FAILED, "reason": "it hung after 0.15 s"}


@pytest.mark.parametrize("lost", [True, False])
@pytest.mark.parametrize("clock", ["", "an answer was awaited for 1 s"])
def test_that_a_planner_was_lost_is_a_fact_of_its_own(file, lost, clock):
    record = replace(
        RECORD, provenance=replace(RECORD.provenance, clock=clock), lost=lost, **FAILED
    )
    save_record(record, file)
    assert load_record(file).lost is lost
    assert ("lost" in header_of(file.read_bytes())) == (lost or bool(clock))


def test_a_record_whose_planner_was_not_lost_is_written_as_before_there_was_a_word_for_it():
    assert "lost" not in header_of(record_bytes(RECORD))
    assert "lost" not in header_of(record_bytes(replace(RECORD, **FAILED)))
    with pytest.raises(BadValue, match="was lost, but it ended as 'out of time'"):
        replace(RECORD, lost=True)


@pytest.mark.parametrize(
    ("reason", "clock", "lost"),
    [
        ("the planner took its process down (exit code 3) after 0.15 s", "", True),
        ("plan() took 0.4 s, the limit is 0.2 s, after 0.15 s", "plan() was limited", True),
        ("plan() raised RuntimeError: no after 0.15 s", "", False),
    ],
)
def test_records_from_before_there_was_a_word_for_it_tell_by_their_ending(
    file, monkeypatch, reason, clock, lost
):
    made = replace(RECORD.provenance, clock=clock)
    record = replace(RECORD, provenance=made, lost=lost, **{**FAILED, "reason": reason})
    dumps = json.dumps

    def without(header, **options):
        header.pop("lost", None)
        return dumps(header, **options)

    monkeypatch.setattr("paseo.world.recordfile.json.dumps", without)
    save_record(record, file)
    assert "lost" not in header_of(file.read_bytes())
    assert load_record(file).lost is lost


def test_words_no_encoding_knows_become_some_that_all_can_read(file):
    assert loaded(file, record_bytes(replace(RECORD, reason="a\udc80"))).reason == "a?"


@settings(max_examples=400)
@given(st.data())
def test_flipped_bytes_never_raise_anything_but_bad_file(file, data):
    content = bytearray(CONTENT)
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        again = loaded(file, content)
    except BadFile as error:
        assert str(error).startswith(f"{file}: ")
    else:  # where the flipped byte says nothing, such as a date
        assert record_bytes(again) == CONTENT


def test_a_member_swallowed_by_the_comment_before_it_is_missed(file):
    directory = zipfile.ZipFile(io.BytesIO(CONTENT)).start_dir
    last = CONTENT.rindex(b"PK\x01\x02")
    before = CONTENT.rindex(b"PK\x01\x02", directory, last)
    content = bytearray(CONTENT)
    swallowed = CONTENT.rindex(b"PK\x05\x06") - last
    content[before + 32 : before + 34] = swallowed.to_bytes(2, "little")  # comment length
    with pytest.raises(BadFile, match="expected .*seen"):
        loaded(file, bytes(content))


@given(st.integers(0, len(CONTENT) - 1))
def test_truncated_files_are_bad_files(file, length):
    with pytest.raises(BadFile):
        loaded(file, CONTENT[:length])


@given(st.binary(max_size=300))
@example(b"")
@example(np.lib.format.magic(1, 0))
def test_random_bytes_are_bad_files(file, content):
    with pytest.raises(BadFile, match="not a readable Paseo record"):
        loaded(file, content)


@settings(max_examples=200)
@given(st.sampled_from(sorted(np.load(io.BytesIO(CONTENT)).files)), st.data())
def test_damage_inside_members_never_raises_anything_but_bad_file(file, name, data):
    """As above, but with checksums that fit: what is read is nonsense, not noise."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(CONTENT)) as old, zipfile.ZipFile(buffer, "w") as new:
        for member in old.namelist():
            content = bytearray(old.read(member))
            if member == f"{name}.npy":
                place = data.draw(st.integers(0, len(content) - 1))
                content[place] ^= data.draw(st.integers(1, 255))
            new.writestr(member, content)
    with suppress(BadFile):
        loaded(file, buffer.getvalue())


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"walls": None}, "expected commands, free, header"),
        ({"header": None}, "header"),
        ({"extra": np.zeros(1)}, "it holds .*extra"),
        ({"robot": np.zeros((2, 2))}, "robot has shape"),
        ({"robot": RECORD.robot.astype(np.float32)}, "robot holds float32, expected float64"),
        ({"robot": RECORD.robot.astype(">f8")}, "robot holds"),
        ({"robot": RECORD.robot.astype(object)}, "robot.npy is not as large as its shape"),
        ({"people": RECORD.people[:, :1]}, "people has shape"),
        ({"walls": np.zeros((4, 2))}, "walls must have shape"),
        ({"free": np.zeros(2, np.uint8)}, "cells in"),
        ({"free": np.zeros((40, 60), bool)}, "free holds bool"),
        ({"track_ids": np.array([2])}, "tracks do not add up"),
        ({"track_ids": np.array([4, 2])}, "in order of id"),
        ({"track_ids": np.array(["2", "4"])}, "track_ids holds"),
        ({"track_samples": np.array([6, -1])}, "tracks do not add up"),
        ({"track_samples": np.array([2, 2])}, "tracks do not add up"),
        ({"track_samples": np.array([5, 0])}, "tracks do not add up"),
        ({"track_samples": np.array([2**63 - 1, 2**63 - 1])}, "add up|times need"),
        ({"track_samples": np.array([2.0, 3.0])}, "track_samples holds float64"),
        ({"track_positions": np.zeros((5, 3))}, "positions"),
        ({"header": np.zeros(9)}, "header holds float64"),
        ({"header": np.frombuffer(b"[" * 100_000, np.uint8)}, "Recursion"),
        ({"header": np.frombuffer(b"[1]", np.uint8)}, "does not say 'paseo-record'"),
        ({"header": np.frombuffer(b"\xff", np.uint8)}, "Unicode"),
    ],
)
def test_members_that_do_not_fit_are_named(file, changes, problem):
    with pytest.raises(BadFile, match=f"not a readable Paseo record .*{problem}"):
        loaded(file, repacked(**changes))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda h: h.update(version=2), "its version is 2, this Paseo reads 1"),
        (lambda h: h.pop("version"), "its version is None"),
        (lambda h: h.update(format="npz"), "does not say 'paseo-record'"),
        (lambda h: h.update(outcome="won"), "outcome"),
        (lambda h: h.update(scenario=5), ""),
        (lambda h: h["scenario"].update(robot=[]), ""),
        (lambda h: h["scenario"]["robot"].update(max_speed=None), "finite"),
        (lambda h: h["scenario"]["start"].update(x=math.nan), "the number NaN"),
        (lambda h: h["scenario"]["goal"].update(y=-math.inf), "the number -Infinity"),
        (lambda h: h["scenario"].update(dt=10**400), "range"),
        (lambda h: h["scenario"].update(dt=1e-300), "is inf steps|steps, expected"),
        (lambda h: h["scenario"].update(seed=-1), "seed must be 0 or more"),
        (lambda h: h["floorplan"].update(shape=[-40, -60]), "a floor plan of"),
        (lambda h: h["floorplan"].update(shape=[10**9, 10**9]), "a floor plan of"),
        (lambda h: h["floorplan"].update(cell_size=0.0), "cell size"),
        (lambda h: h["contacts"][0].update(first_step=-3), "at no time of this record"),
        (lambda h: h["contacts"][0].update(person=99), "with nobody"),
        (lambda h: h.update(colour="red"), "its header has the unknown key 'colour'"),
        (lambda h: h["scenario"]["goal"].update(headin=1.0), "has the unknown key 'headin'"),
        (lambda h: h["contacts"][0].update(at=1.0), "has the unknown key 'at'"),
    ],
)
def test_headers_that_make_no_sense_are_refused(file, change, problem):
    with pytest.raises(BadFile, match=f"not a readable Paseo record .*({problem})"):
        loaded(file, with_header(change))


def test_two_arrays_of_one_name_are_refused(file):
    buffer = io.BytesIO(CONTENT)
    with zipfile.ZipFile(buffer, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("robot.npy", archive.read("robot.npy"))
    with pytest.raises(BadFile, match="it holds two arrays of one name"):
        loaded(file, buffer.getvalue())


def test_a_number_too_large_for_a_float_is_no_infinity(file):
    text = np.load(io.BytesIO(CONTENT))["header"].tobytes().replace(b'"dt": 0.05', b'"dt": 5e999')
    with pytest.raises(BadFile, match="the number 5e999"):
        loaded(file, repacked(header=np.frombuffer(text, np.uint8)))


def test_a_member_that_declares_more_than_it_holds_is_refused_before_memory_is_full(file):
    buffer = io.BytesIO()
    shape = {"descr": "<f8", "fortran_order": False, "shape": (10**12, 3)}
    with zipfile.ZipFile(buffer, "w") as archive, archive.open("robot.npy", "w") as stream:
        np.lib.format.write_array_header_1_0(stream, shape)
    with pytest.raises(BadFile, match="not a readable Paseo record"):
        loaded(file, buffer.getvalue())


def test_a_file_that_would_unpack_to_more_than_any_record_is_not_unpacked(file):
    content = bytearray(CONTENT)
    place = 0
    for _ in range(2):  # sizes in the central directory: two members of almost 4 GiB
        place = content.index(b"PK\x01\x02", place + 1)
        content[place + 24 : place + 28] = struct.pack("<I", 0xFFFFFFF0)
    with pytest.raises(
        BadFile, match="unpacks to more than 256 MiB, which no file of its size does"
    ):
        loaded(file, content)


def test_a_missing_file_and_a_folder_are_bad_files(tmp_path):
    with pytest.raises(BadFile, match="no such file; expected a record"):
        load_record(tmp_path / "none.npz")
    with pytest.raises(BadFile, match="cannot be read .it is a folder, expected a file.; check"):
        load_record(tmp_path)


def test_saving_replaces_what_was_there_and_leaves_nothing_else(tmp_path):
    path = tmp_path / "record.npz"
    path.write_text("old")
    save_record(RECORD, path)
    assert path.read_bytes() == CONTENT
    assert list(tmp_path.iterdir()) == [path]


def test_two_runs_give_the_same_bytes_and_another_seed_others():
    noisy = scenario(crossing(), sensor=Sensor(position_noise=0.1, miss_rate=0.2), seed=1)

    def content(task):
        return record_bytes(simulate(task, Driver(Twist(1.0, 0.0))))

    assert content(noisy) == content(noisy)
    assert content(noisy) != content(replace(noisy, seed=2))


def test_ids_of_people_who_react_otherwise_come_back_as_numbers(tmp_path):
    reaction = Reaction(of_people={10: 0.5, 9: 0.25})
    record = replace(RECORD, scenario=replace(EPISODE, reaction=reaction))
    save_record(record, tmp_path / "a.npz")
    assert load_record(tmp_path / "a.npz").scenario.reaction == reaction
    header = bytes(np.load(tmp_path / "a.npz")["header"]).decode()
    assert '"of_people": {"10": 0.5, "9": 0.25}' in header, "text, and in the order of text"


def test_what_a_log_does_not_tell_comes_back_as_such(tmp_path):
    task = replace(EPISODE, missing=(Missing.GOAL, Missing.TOP_SPEED))
    save_record(replace(RECORD, scenario=task), tmp_path / "a.npz")
    (goal, speed) = load_record(tmp_path / "a.npz").scenario.missing
    assert goal is Missing.GOAL and speed is Missing.TOP_SPEED


@pytest.mark.parametrize("source", ["Inferred from 3 tracks.", "Measured.", ""])
@pytest.mark.parametrize("inferred", [*InferredFrom, None])
def test_a_map_that_was_inferred_comes_back_so(source, inferred, tmp_path):
    place = replace(CLOSET, source=source, inferred=inferred)
    save_record(replace(RECORD, scenario=replace(EPISODE, floorplan=place)), tmp_path / "a.npz")
    assert load_record(tmp_path / "a.npz").scenario.floorplan.inferred == inferred
    header = bytes(np.load(tmp_path / "a.npz")["header"]).decode()
    assert ('"inferred"' in header) == (inferred != told_inferred(source))


def test_a_small_file_that_unpacks_to_a_large_one_is_refused_before_it_is_unpacked(file):
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("people.npy", "w", force_zip64=True) as stream,
    ):
        for _ in range(300):
            stream.write(bytes(1 << 20))
    begun = time.process_time()
    with pytest.raises(BadFile, match="unpacks to more than 256 MiB"):
        loaded(file, buffer.getvalue())
    assert time.process_time() - begun < 1.0


@pytest.mark.parametrize("name", ["robot", "people", "seen"])
def test_places_far_from_the_map_are_refused(file, name):
    with np.load(io.BytesIO(CONTENT)) as members:
        arrays = {each: members[each] for each in members.files}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **{**arrays, name: getattr(RECORD, name) + 1e9})
    with pytest.raises(BadFile, match=f"{name} has a place more than 100000 m from the map"):
        loaded(file, buffer.getvalue())
