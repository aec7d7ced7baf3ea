"""YAML: what it repeats and merges is counted before it is written out."""

from typing import Any

import yaml

from paseo.text import all_storable

# YAML takes some microseconds for a value, and ten times as many where libyaml is not installed.
MOST_VALUES = 500_000 if yaml.__with_libyaml__ else 50_000
DEEPEST = 64  # values in values; libyaml has no bound of its own, and takes the process down
LONGEST_NUMBER = 400  # characters; those with colons take time by the square
LONGEST_KEY = 17  # digits; many longer ones can be found that all fall together in a dict
MOST_DIRECTIVES = 16  # libyaml compares each with all others
NUMBERS = tuple(f"tag:yaml.org,2002:{kind}" for kind in ("int", "float", "timestamp"))

_FASTEST: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def yaml_value(text: str) -> Any:
    """What a YAML text says: plain values only, those that it repeats or merges counted again."""
    if text.count("%TAG") > MOST_DIRECTIVES:
        raise ValueError(f"it has more than {MOST_DIRECTIVES} directives %TAG")
    loader = _Bounded(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        _check_unfolded(node)
        return all_storable(loader.construct_document(node))
    except RecursionError as error:
        raise ValueError("its values lie too deep in each other") from error
    except (LookupError, AttributeError, TypeError, OverflowError) as error:
        # So PyYAML tells of !!bool x, !!int '' and !!timestamp x.
        raise ValueError("a value is not what its tag promises") from error
    finally:
        loader.dispose()


class _Bounded(_FASTEST):  # type: ignore[misc]
    """Counts the values of a document while they are read."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._values = self._depth = 0

    def descend_resolver(self, *_: object) -> None:
        """The parser goes into a value."""
        self._values += 1
        self._depth += 1
        if self._values > MOST_VALUES:
            raise ValueError(f"it has more than {MOST_VALUES} values; write so many as JSON")
        if self._depth > DEEPEST:
            raise ValueError(f"its values lie more than {DEEPEST} deep in each other")

    def ascend_resolver(self) -> None:
        """The parser leaves it again."""
        self._depth -= 1


def _check_unfolded(root: yaml.Node) -> None:
    """That a document stays small when every alias and merge in it is written out."""
    sizes: dict[int, int] = {}  # of what was gone through, by the identity of its node
    above: set[int] = set()  # what one is inside of
    open_nodes = [root]
    while open_nodes:
        node = open_nodes[-1]
        place = id(node)
        parts = _parts(node)
        if place not in sizes and place not in above:
            above.add(place)
            if any(id(part) in above for part in parts):
                raise ValueError(f"line {node.start_mark.line + 1}: a value that holds itself")
            open_nodes += [part for part in parts if id(part) not in sizes]
            continue
        open_nodes.pop()
        if place in above:
            above.remove(place)
            sizes[place] = 1 + sum(sizes[id(part)] for part in parts)
            if sizes[place] > MOST_VALUES:
                raise ValueError(f"it unfolds to more than {MOST_VALUES} values; repeat fewer")


def _parts(node: yaml.Node) -> list[yaml.Node]:
    """The values right inside a node; wrong numbers among them are told."""
    if isinstance(node, yaml.ScalarNode):
        if node.tag in NUMBERS and len(node.value) > LONGEST_NUMBER:
            raise ValueError(
                f"line {node.start_mark.line + 1}: a number of {len(node.value)} signs"
            )
        return []
    if isinstance(node, yaml.SequenceNode):
        return node.value
    for key, _ in node.value:
        if key.tag in NUMBERS and len(key.value) > LONGEST_KEY:
            raise ValueError(f"line {key.start_mark.line + 1}: a long number as a key")
    return [part for pair in node.value for part in pair]
