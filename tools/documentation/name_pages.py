"""The pages of Python names: a line `::: paseo.run` stands for the documentation of that name.

Functions are left to mkdocstrings. Classes are laid out here: their fields are explained by the
comments beside them, which no tool reads, and one table of them says more than twenty headings.
"""

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from enum import Enum
from html import escape

import paseo

DIRECTIVE = re.compile(r"^::: (paseo(?:\.\w+)+)$", re.MULTILINE)


def with_entries(page: str) -> str:
    """A page whose directives have become entries."""
    return DIRECTIVE.sub(lambda match: _entry(match[1]), page)


def named(page: str) -> list[str]:
    """The names that a page documents."""
    return DIRECTIVE.findall(page)


def _entry(name: str) -> str:
    module, _, short = name.rpartition(".")
    home = paseo._HOMES[short] if module == "paseo" else module
    found = getattr(importlib.import_module(home), short)
    if inspect.isclass(found):
        return _class_entry(name, home, found)
    # The anchor stays where it is when a module moves.
    path = f"{found.__module__}.{found.__qualname__}"
    return f'<a id="{name}"></a>\n\n{_left_to_mkdocstrings(path, name, short)}'


def _left_to_mkdocstrings(path: str, heading: str, label: str, level: int = 3) -> str:
    return (
        f"::: {path}\n    options:\n      heading: {heading}\n      toc_label: {label}\n"
        f"      heading_level: {level}\n"
    )


def _class_entry(name: str, home: str, kind: type) -> str:
    label = kind.__name__
    parts = [f"### {name} {{ #{name} data-toc-label={label} }}", inspect.getdoc(kind) or ""]
    if rows := list(_rows(kind)):
        head = "| value | |" if issubclass(kind, Enum) else "| field | type | |"
        parts.append("\n".join([head, "|---" * (head.count("|") - 1) + "|", *rows]))
    for method, value in vars(kind).items():
        if not method.startswith("_") and callable(getattr(value, "__func__", value)):
            path = f"{home}.{label}.{method}"
            parts.append(_left_to_mkdocstrings(path, f"{label}.{method}", method, level=4))
    return "\n\n".join(parts) + "\n"


def _rows(kind: type) -> Iterator[str]:
    """A row for each field, with the comment beside it, and for each property."""
    source = textwrap.dedent(inspect.getsource(kind))
    lines = source.splitlines()
    (body,) = (node.body for node in ast.parse(source).body if isinstance(node, ast.ClassDef))
    for node in body:
        comment = lines[(node.end_lineno or 0) - 1][node.end_col_offset :].strip(" #")
        if isinstance(node, ast.Assign) and issubclass(kind, Enum):
            value = f"`{ast.unparse(node.value)}`"
            yield f"| `{ast.unparse(node.targets[0])}` | {_joined(value, comment)} |"
        elif isinstance(node, ast.AnnAssign):
            yield _row(ast.unparse(node.target), node.annotation, comment, _default(node.value))
        elif isinstance(node, ast.FunctionDef) and _is_property(node):
            sentence = (ast.get_docstring(node) or "").partition("\n")[0].removesuffix(".")
            yield _row(node.name, node.returns, sentence[:1].lower() + sentence[1:])


def _row(name: str, annotation: ast.expr | None, *told: str) -> str:
    kind = _linked(ast.unparse(annotation)) if annotation else ""
    return f"| `{name}` | {kind} | {_joined(*told)} |"


def _joined(*told: str) -> str:
    return "; ".join(filter(None, told))


def _is_property(node: ast.FunctionDef) -> bool:
    names = {ast.unparse(each) for each in node.decorator_list}
    return bool(names & {"property", "cached_property"}) and not node.name.startswith("_")


def _linked(annotation: str) -> str:
    """A type as code, with links to the public ones."""
    code = escape(annotation).replace("|", "&#124;")
    public = re.compile(rf"\b({'|'.join(paseo.__all__)})\b")
    linked = public.sub(r'<a href="python.html#paseo.\1">\1</a>', code)
    return f"<code>{linked}</code>"


def _default(value: ast.expr | None) -> str:
    if value is None or (isinstance(value, ast.Call) and "default_factory" in ast.unparse(value)):
        return ""
    return f"default: `{ast.unparse(value)}`"
