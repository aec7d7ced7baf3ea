"""How hard a model is to think, in the words of each provider."""

from paseo.errors import BadValue

EFFORTS = ("minimal", "low", "medium", "high")


def effort_settings(model: str, effort: str) -> dict[str, object]:
    """The provider's own settings that ask `provider/model` to think so hard, and to tell it."""
    provider = model.partition("/")[0]
    if provider == "openai":
        return {"reasoning_effort": effort}
    if provider == "gemini":
        return {"thinking_config": {"thinking_level": effort.upper(), "include_thoughts": True}}
    if provider == "anthropic" and effort != "minimal":
        shown = {"type": "adaptive", "display": "summarized"}
        return {"thinking": shown, "output_config": {"effort": effort}}
    raise BadValue(
        f"how hard '{model}' is to think cannot be said in a word; give it a setting of its own",
        parameters=["reasoning_effort"],
    )
