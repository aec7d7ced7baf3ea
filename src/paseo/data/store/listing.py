"""The data sets Paseo knows, and what of them is here."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from paseo.data.store.catalog import KnownRecording, RemoteFile, known_recordings
from paseo.data.store.crowds import CrowdFile
from paseo.data.store.hub import SOCIALNAV_SUB, HubDataset, dataset_is_complete
from paseo.data.store.locations import DataFolder, data_folder
from paseo.data.store.packs import AVATARS, Pack, rocketbox_pack
from paseo.data.store.synthetic import FPS, SyntheticCrowd, synthetic_crowds
from paseo.errors import InputError, MissingData


class DataKind(StrEnum):
    """Where a data set comes from."""

    RECORDING = "recording"
    SCENES = "scenes with questions"
    PEOPLE = "people for the camera"
    SYNTHETIC = "synthetic, not recorded"
    IMPORTED = "imported"


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSet:
    """A data set, and where it is; what it was made of is told by the last four."""

    name: str
    kind: DataKind
    fps: float | None = None
    map: str | None = None
    licence: str | None = None
    citation: str = ""
    place: Path | None = None  # None: not on this machine
    problem: str = ""  # why it cannot be used, though it is here
    files: tuple[RemoteFile, ...] = ()
    sources: tuple[str, ...] = ()
    dataset: HubDataset | None = None
    recipe: SyntheticCrowd | None = None
    about: CrowdFile | None = None


def data_sets(data: DataFolder | Path | None = None) -> list[DataSet]:
    """The data sets Paseo knows, then the crowds that were imported into the data folder."""
    folder = data_folder(data)
    own = [name for name in folder.crowds() if name not in known_recordings()]
    return [
        *(_known(known, folder) for known in known_recordings().values()),
        _scenes(SOCIALNAV_SUB, folder),
        _people(rocketbox_pack(), folder),
        *(_synthetic(crowd) for crowd in synthetic_crowds().values()),
        *(_own(name, folder) for name in own),
    ]


def _known(known: KnownRecording, data: DataFolder) -> DataSet:
    try:
        place = data.file(known.name)
    except MissingData:
        place = None
    return DataSet(
        name=known.name,
        kind=DataKind.RECORDING,
        fps=known.fps,
        map=known.map,
        licence=known.licence,
        citation=known.citation,
        place=place,
        files=(known.annotation, known.groups),
        sources=known.sources,
    )


def _scenes(dataset: HubDataset, data: DataFolder) -> DataSet:
    place = data.path / dataset.name
    return DataSet(
        name=dataset.name,
        kind=DataKind.SCENES,
        licence=dataset.licence,
        citation=dataset.citation,
        place=place if dataset_is_complete(dataset, place) else None,
        sources=(f"https://huggingface.co/datasets/{dataset.repo}",),
        dataset=dataset,
    )


def _people(pack: Pack, data: DataFolder) -> DataSet:
    """A pack of which some avatars may be here."""
    place = data.path / pack.name
    here = any((place / AVATARS).glob("*/*/Export/*.fbx"))
    return DataSet(
        name=pack.name,
        kind=DataKind.PEOPLE,
        licence=pack.licence,
        citation=pack.citation,
        place=place if here else None,
        sources=(pack.source,),
    )


def _synthetic(crowd: SyntheticCrowd) -> DataSet:
    return DataSet(
        name=crowd.name,
        kind=DataKind.SYNTHETIC,
        fps=FPS,
        map=crowd.map,
        licence="MIT, as Paseo",
        citation="Paseo",
        place=crowd.file,
        recipe=crowd,
    )


def _own(name: str, data: DataFolder) -> DataSet:
    """A crowd that was imported; one that cannot be read is listed with the reason."""
    try:
        about, plan, place = data.about(name), data.own_floorplan(name), data.file(name)
    except InputError as error:
        return DataSet(name=name, kind=DataKind.IMPORTED, problem=str(error))
    return DataSet(
        name=name,
        kind=DataKind.IMPORTED,
        fps=about.fps,
        map=None if plan is None else "inferred" if plan.inferred else "its own",
        licence=about.licence,
        citation=about.citation,
        place=place,
        about=about,
    )
