"""Seeds for each use of randomness in an episode, none of which tells another."""

import hashlib

from paseo.world.scenarios import Scenario


def derived_seed(use: str, scenario: Scenario) -> int:
    """A seed below 2**63 for one use, from the scenario's name and seed by a one-way hash."""
    digest = hashlib.sha256(f"{use} {scenario.name} {scenario.seed}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
