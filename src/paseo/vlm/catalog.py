"""What models there are to ask, and what each needs on this machine; keys are never read out."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec

from paseo.registry import model_targets


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """Where models of a kind come from."""

    name: str
    models: Mapping[str, str]  # by name, a few words on each
    extra: str = ""  # of paseo, that has to be installed
    package: str = ""  # that the extra brings
    keys: tuple[str, ...] = ()  # environment variables; one is enough


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


PROVIDERS = (
    Provider(
        name="anthropic",
        models={"MODEL": "any of Anthropic's, such as claude-sonnet-4-5"},
        extra="anthropic",
        package="anthropic",
        keys=("ANTHROPIC_API_KEY",),
    ),
    Provider(
        name="gemini",
        models={
            "gemini-2.0-flash": "Gemini 2.0 of the paper",
            "MODEL": "any of Google's, such as gemini-2.5-flash",
        },
        extra="gemini",
        package="google.genai",
        keys=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    ),
    Provider(
        name="local",
        models={
            "llava-hf/LLaVA-NeXT-Video-7B-hf": "LLaVA-NeXT-Video of the paper",
            "MODEL": "any of Hugging Face's that reads pictures, by name or folder",
        },
        extra="local",
        package="transformers",
    ),
    Provider(
        name="openai",
        models={
            "gpt-4o": "GPT-4o of the paper",
            "MODEL": "any of OpenAI's, or of a server that speaks like it, such as vLLM or Ollama",
        },
        extra="openai",
        package="openai",
        keys=("OPENAI_API_KEY", "OPENAI_BASE_URL"),
    ),
    Provider(
        name="recorded",
        models={"FOLDER": "answers given before, in files <scene>.json"},
    ),
    Provider(
        name="scripted",
        models={
            "first": "always the first choice; looks at nothing",
            "constant": "what people answer most, whatever the scene; looks at nothing",
            "random": "any choice, the same for the same prompt; looks at nothing",
        },
    ),
)


def known_models(environment: Mapping[str, str]) -> tuple[Known, ...]:
    """Every provider, those of other packages included, in order of their names."""
    ours = {each.name: each for each in PROVIDERS}
    found = [
        ours.get(name) or Provider(name=name, models={"MODEL": f"of another package, {target}"})
        for name, target in model_targets().items()
    ]
    return tuple(
        Known(
            provider=each,
            installed=not each.package or _is_installed(each.package),
            key_set=any(map(environment.get, each.keys)) if each.keys else None,
        )
        for each in found
    )


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # of the package it is part of
        return False
