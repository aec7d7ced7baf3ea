"""A drive made into tracks in one go, and whether its calibration can be believed."""

from dataclasses import dataclass
from pathlib import Path

from paseo.pipeline.drives.drive import Drive
from paseo.pipeline.keeping import Detecting, KeptDetections
from paseo.pipeline.locating.lies.findings import Plausibility, plausibility
from paseo.pipeline.locating.names import GuardedSource, make_source
from paseo.pipeline.locating.sources.tracking import Follower
from paseo.pipeline.reconstructing import Method, reconstruct
from paseo.pipeline.reconstruction import Reconstruction
from paseo.pipeline.smoothing.names import make_smoother
from paseo.progress import Progress, silent

USUAL = "paseo"  # of the smoothers


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Traced:
    """Who was where, and what speaks against it."""

    reconstruction: Reconstruction
    plausibility: Plausibility
    twice: int  # boxes that were left out, of people who have a surer one in the same frame


def trace_drive(
    drive: Drive,
    people: str,
    *,
    smoother: str = USUAL,
    keep: Path | None = None,
    progress: Progress = silent,
) -> Traced:
    """Tracks of everybody whom a source of people finds in a drive, given as `NAME=WHAT`.

    What a detector finds is kept in the folder `keep`, from which a run that was interrupted goes
    on; None: it is not kept.
    """
    method = Method(smoother=make_smoother(smoother))
    source = _source(people, keep, progress)
    found = reconstruct(drive, source, method, progress=progress)
    told = plausibility(found.odometry, found.frame_times, found.seen.values(), found.camera)
    return Traced(reconstruction=found, plausibility=told, twice=source.twice)


def _source(people: str, keep: Path | None, progress: Progress) -> GuardedSource:
    source = make_source(people)
    detector = source.source
    if keep is None or not isinstance(detector, Detecting):
        return source
    kept = KeptDetections(detector, Follower, keep, label=people, progress=progress)
    return GuardedSource(kept, source.name)
