"""Bones to skins: where the points of all people are, in the world and before the camera."""

# mypy: ignore-errors
# The types here are warp's, read by its compiler.

import warp as wp

from paseo.camera.kernels import MODULE
from paseo.camera.kernels.layout import Geometry, Optics


@wp.struct
class Rest:
    """Templates at rest, and the bones of this frame."""

    points: wp.array(dtype=wp.vec3)
    normals: wp.array(dtype=wp.vec3)
    bones: wp.array(dtype=wp.vec4ub)
    weights: wp.array(dtype=wp.vec4)
    poses: wp.array(dtype=wp.vec4)  # three rows a bone


@wp.kernel(module=MODULE)
def skin(start: int, first: int, owners: wp.array(dtype=int), rest: Rest, g: Geometry, o: Optics):
    """People's points and normals; those of the frame begin with `first`."""
    place = start + wp.tid()
    instance = g.instances[owners[place]]
    frame = first + place
    template = frame - instance.point_start + instance.template_start
    bones = rest.bones[template]
    weights = rest.weights[template]
    x = wp.vec4()
    y = wp.vec4()
    z = wp.vec4()
    for k in range(4):
        weight = weights[k]
        if weight > 0.0:
            row = (instance.bone_start + int(bones[k])) * 3
            x += rest.poses[row] * weight
            y += rest.poses[row + 1] * weight
            z += rest.poses[row + 2] * weight
    p = rest.points[template]
    n = rest.normals[template]
    at = wp.vec3(
        x[0] * p[0] + x[1] * p[1] + x[2] * p[2] + x[3],
        y[0] * p[0] + y[1] * p[1] + y[2] * p[2] + y[3],
        z[0] * p[0] + z[1] * p[1] + z[2] * p[2] + z[3],
    )
    g.points[frame] = at
    g.normals[frame] = wp.vec3(
        x[0] * n[0] + x[1] * n[1] + x[2] * n[2],
        y[0] * n[0] + y[1] * n[1] + y[2] * n[2],
        z[0] * n[0] + z[1] * n[1] + z[2] * n[2],
    )
    g.seen[frame] = wp.transpose(o.rotation) * (at - o.position)


@wp.kernel(module=MODULE)
def view(start: int, g: Geometry, o: Optics):
    """The points of the place, in the camera's own axes."""
    point = start + wp.tid()
    g.seen[point] = wp.transpose(o.rotation) * (g.points[point] - o.position)
