"""What all our web pages share: a template, one script, both themes, and what they may not do."""

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files

from paseo.render.raster.palette import DARK, LIGHT, Theme, as_text, mixed
from paseo.text import html_text
from paseo.version import paseo_version

PAGE = files("paseo.report.pages") / "assets"
# Outcomes, then what is around and between things; chosen to be read on the page of the theme.
MORE_COLOURS = {
    "light": {"good": "#1A7F5A", "wall": "#A65A00", "late": "#5E6B7B", "broken": "#7A3E9D",
              "on-outcome": "#FFFFFF", "accent": "#005FA8", "ground": "#F4F6F8",
              "line": "#E3E8ED", "border": "#B9C2CC"},
    "dark": {"good": "#3FB68B", "wall": "#E0963A", "late": "#93A0B0", "broken": "#BB8EDB",
             "on-outcome": "#12161C", "accent": "#6CB6FF", "ground": "#0C0F13",
             "line": "#2A323D", "border": "#4A5563"},
}  # fmt: skip
THEMED = ("page", "solid", "floor", "edge", "ink", "faint", "person", "rim", "contact")


def asset(name: str) -> str:
    """A text that pages are made of."""
    return (PAGE / name).read_text("utf-8")


def filled(template: str, parts: Mapping[str, str]) -> str:
    """The template with every {{name}} replaced, in one go: what is filled in is left alone."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], template)


def framed(page: str, *, kind: str, parts: Mapping[str, str]) -> bytes:
    """The whole file: the page of this name in the frame that all kinds of page have."""
    known = {**parts, "kind": kind, "version": html_text(paseo_version())}
    body = filled(asset(f"{page}.html"), {**known, "theme": asset("theme.html")})
    return filled(asset("frame.html"), {**known, "body": body}).encode("utf-8", "replace")


def harmless(json_text: str) -> str:
    """JSON that cannot end the element it stands in."""
    return json_text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def bundled(names: Sequence[str]) -> str:
    """Modules as one: they stand in the order in which they need each other."""
    text = "\n".join(asset(f"{name}.js") for name in names)
    return re.sub(r"^(import .*\n|export )", "", text, flags=re.MULTILINE)


def policy(script: str, *, pictures: str = "", talk: str = "") -> str:
    """What the browser may do with the page: run this one script, and load nothing.

    `pictures` names where pictures may come from, such as `data:` for those in the page itself;
    `talk` whom the script may talk to.
    """
    digest = base64.b64encode(hashlib.sha256(f"\n{script}".encode()).digest()).decode()
    images = f"; img-src {pictures}" if pictures else ""
    asked = f"; connect-src {talk}" if talk else ""
    rules = f"style-src 'unsafe-inline'; script-src 'sha256-{digest}'{images}{asked}"
    return f"default-src 'none'; {rules}"


def colours() -> str:
    """Both themes as variables: as the system says, unless the page's own switch says otherwise."""
    light, dark = _variables(LIGHT), _variables(DARK)
    numbers = range(len(LIGHT.planners))
    planners = "".join(f".p{k}{{--planner:var(--planner-{k})}}" for k in numbers)
    return (
        f":root{{color-scheme:light;{light}}}\n"
        f"@media (prefers-color-scheme:dark){{:root{{color-scheme:dark;{dark}}}}}\n"
        f":root[data-theme=light]{{color-scheme:light;{light}}}\n"
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}\n"
        f"{planners}.ref{{--planner:var(--faint)}}"
    )


def _variables(theme: Theme) -> str:
    colours = {name: as_text(getattr(theme, name)) for name in THEMED}
    colours |= {f"planner-{k}": as_text(colour) for k, colour in enumerate(theme.planners)}
    colours |= {"grid": as_text(mixed(theme.page, theme.solid, 0.6)), **MORE_COLOURS[theme.name]}
    return ";".join(f"--{name}:{colour}" for name, colour in colours.items())
