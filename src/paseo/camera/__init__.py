"""A camera among people: RGB, depth, person ids and normals of a snapshot, drawn by warp."""
