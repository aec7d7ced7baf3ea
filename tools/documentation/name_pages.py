"""The pages of Python names: `::: paseo.run` stands for what is documented where it lives."""

import re

import paseo

DIRECTIVE = re.compile(r"^::: paseo\.(\w+)$", re.MULTILINE)


def with_homes(page: str) -> str:
    """A page whose public names have headings of their own and are looked up in their modules."""
    return DIRECTIVE.sub(lambda match: _entry(match[1]), page)


def _entry(name: str) -> str:
    return f"### paseo.{name} {{ #paseo.{name} }}\n\n::: {paseo._HOMES[name]}.{name}"


def named(page: str) -> list[str]:
    """The public names that a page documents."""
    return DIRECTIVE.findall(page)
