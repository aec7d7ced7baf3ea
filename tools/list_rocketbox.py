"""Write the catalog of the Rocketbox pack from a manifest of its repository.

    python tools/list_rocketbox.py MANIFEST.json LICENSE.md

Kept are avatars with a picture of their clothes, colours (normal maps are not drawn), and of clips
as many walks and ways to stand as `paseo.camera.people.rocketbox` reads.
"""

import hashlib
import json
import sys
from collections import defaultdict
from pathlib import Path

from paseo.camera.meshes import Sex
from paseo.camera.people.rocketbox.avatars import clip_files

TARGET = Path(__file__).parents[1] / "src" / "paseo" / "data" / "shipped" / "rocketbox.json"
CITATION = (
    "Gonzalez-Franco et al.: The Rocketbox Library and the Utility of Freely Available Rigged "
    "Avatars. Frontiers in Virtual Reality 1:561558, 2020."
)


def catalog(manifest: dict, licence: bytes) -> dict:
    """What the file holds: checksums by avatar, or by the folder of clips, then by name."""
    avatars, clips = defaultdict(dict), defaultdict(dict)
    names = [path.rpartition("/")[2] for path in manifest["files"]]
    wanted = {each for sex in Sex for each in clip_files(names, sex)}
    for path, digest in sorted(manifest["files"].items()):
        folder, _, name = path.rpartition("/")
        if path.startswith("Assets/Avatars/") and not name.endswith("_normal.tga"):
            group, avatar, inside = path.removeprefix("Assets/Avatars/").split("/", 2)
            avatars[f"{group}/{avatar}"][inside] = digest
        elif name in wanted:
            clips[folder][name] = digest
    dressed = {
        avatar: files
        for avatar, files in avatars.items()
        if any(name.endswith(("_body_color.tga", "/f204_color.tga")) for name in files)
    }
    blob = hashlib.sha1(b"blob %d\0" % len(licence) + licence, usedforsecurity=False)
    return {
        "format": "paseo-pack",
        "version": 1,
        "name": "rocketbox",
        "repository": manifest["repository"],
        "commit": manifest["commit"],
        "licence": "MIT, Copyright (c) Microsoft Corporation",
        "citation": CITATION,
        "files": {"LICENSE.md": blob.hexdigest()},
        "clips": clips,
        "avatars": dressed,
    }


if __name__ == "__main__":
    found = catalog(json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2]).read_bytes())
    TARGET.write_text(json.dumps(found, indent=0) + "\n")
    print(f"{len(found['avatars'])} avatars: {TARGET}")
