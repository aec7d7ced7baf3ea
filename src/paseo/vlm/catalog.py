"""What models there are to ask, and what each needs on this machine; keys are never read out."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec

from paseo.vlm.providers import Provider, providers


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A provider, and whether it can be used here and now."""

    provider: Provider
    installed: bool
    key_set: bool | None  # None where none is needed

    @property
    def needs(self) -> str:
        """What is still to be done, in words; empty if nothing."""
        needs = []
        if not self.installed:
            needs.append(f"pip install 'paseo[{self.provider.extra}]'")
        if self.key_set is False:
            needs.append(f"set {' or '.join(self.provider.keys)}")
        return ", ".join(needs)


def known_models(environment: Mapping[str, str]) -> tuple[Known, ...]:
    """Every provider, those of other packages included, in order of their names."""
    return tuple(known(each, environment) for each in providers())


def known(provider: Provider, environment: Mapping[str, str]) -> Known:
    """Whether a provider can be used with these environment variables."""
    return Known(
        provider=provider,
        installed=not provider.package or _is_installed(provider.package),
        key_set=any(map(environment.get, provider.keys)) if provider.keys else None,
    )


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # of the package it is part of
        return False
