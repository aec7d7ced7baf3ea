"""What is raised when a part breaks a promise."""

from collections.abc import Sequence

from paseo.errors import PaseoError


class ContractBroken(PaseoError):
    """A part does not keep a promise of its seam, or several; the words say which."""


def refuse(faults: Sequence[str]) -> None:
    """Raise `ContractBroken` with all faults, if there are any."""
    if len(faults) == 1:
        raise ContractBroken(faults[0])
    if faults:
        listed = "".join(f"\n- {fault}" for fault in faults)
        raise ContractBroken(f"{len(faults)} promises are broken:{listed}")
