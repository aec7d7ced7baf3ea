"""Who offers models: all that Paseo knows of each provider, in one table."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from paseo.registry.registry import Registry, lacks
from paseo.vlm import image_tokens
from paseo.vlm.image_tokens import TokenRule
from paseo.vlm.models import VisionModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """Where models of a kind come from, and what it takes to ask them."""

    name: str  # as in `name/model`
    target: str  # the `module:Class` that asks them
    models: Mapping[str, str]  # by name, a few words on each
    extra: str = ""  # of paseo, that has to be installed
    package: str = ""  # that the extra brings
    keys: tuple[str, ...] = ()  # environment variables; one is enough
    # How pictures are billed, by the model's name with * and ?; the first that fits counts.
    picture_tokens: Mapping[str, TokenRule] = field(default_factory=dict)
    is_free: bool = False  # whether nobody charges for it


PROVIDERS = (
    Provider(
        name="anthropic",
        target="paseo.vlm.hosted.anthropic:AnthropicModel",
        models={"MODEL": "any of Anthropic's, such as claude-sonnet-4-5"},
        extra="anthropic",
        package="anthropic",
        keys=("ANTHROPIC_API_KEY",),
        picture_tokens={"*": image_tokens.ANTHROPIC},
    ),
    Provider(
        name="gemini",
        target="paseo.vlm.hosted.gemini:GeminiModel",
        models={
            "gemini-2.0-flash": "Gemini 2.0 of the paper",
            "MODEL": "any of Google's, such as gemini-2.5-flash",
        },
        extra="gemini",
        package="google.genai",
        keys=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        picture_tokens={"*": image_tokens.GEMINI},
    ),
    Provider(
        name="local",
        target="paseo.vlm.local.model:LocalModel",
        models={
            "llava-hf/LLaVA-NeXT-Video-7B-hf": "LLaVA-NeXT-Video of the paper",
            "MODEL": "any of Hugging Face's that reads pictures, by name or folder",
        },
        extra="local",
        package="transformers",
        is_free=True,
    ),
    Provider(
        name="openai",
        target="paseo.vlm.hosted.openai:OpenAIModel",
        models={
            "gpt-4o": "GPT-4o of the paper",
            "MODEL": "any of OpenAI's, or of a server that speaks like it, such as vLLM or Ollama",
        },
        extra="openai",
        package="openai",
        keys=("OPENAI_API_KEY", "OPENAI_BASE_URL"),
        picture_tokens={"gpt-4o-mini*": image_tokens.OPENAI_MINI, "*": image_tokens.OPENAI},
    ),
    Provider(
        name="recorded",
        target="paseo.vlm.recorded:Recorded",
        models={"FOLDER": "answers given before, in files <scene>.json"},
        is_free=True,
    ),
    Provider(
        name="scripted",
        target="paseo.vlm.scripted:Scripted",
        models={
            "first": "always the first choice; looks at nothing",
            "constant": "what people answer most, whatever the scene; looks at nothing",
            "random": "any choice, the same for the same prompt; looks at nothing",
            "truth": "of waypoints, the right one; looks at nothing",
            "straight": "of waypoints, the nearest to the straight line to the goal",
            "nearest": "of waypoints, the nearest to the goal; when driving only",
        },
        is_free=True,
    ),
)
MODELS: Registry[type[VisionModel]] = Registry(
    kind="model",
    group="paseo.models",
    shipped={each.name: each.target for each in PROVIDERS},
    fault=lacks("ask"),
)


def providers() -> tuple[Provider, ...]:
    """Every provider, those of other packages included, in order of their names."""
    return tuple(
        shipped_provider(name)
        or Provider(name=name, target=target, models={"MODEL": f"of another package, {target}"})
        for name, target in MODELS.targets().items()
    )


def shipped_provider(model: str) -> Provider | None:
    """The provider of `provider/model`, if it comes with Paseo."""
    name = model.partition("/")[0]
    return next((each for each in PROVIDERS if each.name == name), None)


def token_rule(model: str) -> TokenRule:
    """How the pictures sent to `provider/model` are billed."""
    provider, name = shipped_provider(model), model.partition("/")[2]
    rules = provider.picture_tokens if provider else {}
    fitting = (rule for pattern, rule in rules.items() if fnmatchcase(name, pattern))
    return next(fitting, image_tokens.UNKNOWN)
