"""The pictures of a scene, looked at once and then left in their files."""

from collections.abc import Sequence
from hashlib import sha256
from typing import overload

from paseo.data.scenes.images import LARGEST_IMAGE, Size, image_size
from paseo.data.scenes.tree import Tree
from paseo.errors import BadFile


class StoredPictures(Sequence[bytes]):
    """Pictures that are read when they are wanted, so that a scene takes little room.

    Each was whole when they were made; one that has changed since is refused.
    """

    def __init__(self, tree: Tree, names: Sequence[str]) -> None:
        self._tree, self._names = tree, tuple(names)
        sizes, hashes = [], []
        for name in self._names:
            content = tree.content(name, largest=LARGEST_IMAGE)
            sizes.append(image_size(content, tree.folder / name))
            hashes.append(sha256(content).hexdigest())
        self.sizes: tuple[Size, ...] = tuple(sizes)
        self.hashes: tuple[str, ...] = tuple(hashes)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._names)

    @overload
    def __getitem__(self, place: int) -> bytes: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[bytes]: ...

    def __getitem__(self, place: int | slice) -> bytes | Sequence[bytes]:
        """One picture, or some, as they are in their files."""
        if isinstance(place, slice):
            return tuple(self[each] for each in range(*place.indices(len(self))))
        content = self._tree.content(self._names[place], largest=LARGEST_IMAGE)
        if sha256(content).hexdigest() != self.hashes[place]:
            raise BadFile(
                f"{self._tree.folder / self._names[place]}: has changed since the scene was read; "
                "leave scenes as they are while they are in use"
            )
        return content


def picture_hashes(pictures: Sequence[bytes]) -> tuple[str, ...]:
    """The sha256 of each, without reading again what was read."""
    if isinstance(pictures, StoredPictures):
        return pictures.hashes
    return tuple(sha256(each).hexdigest() for each in pictures)
