"""Textures in half the size, for what is far away."""

# mypy: ignore-errors
# The types here are warp's, read by its compiler.

import warp as wp

from paseo.camera.kernels import MODULE


@wp.kernel(module=MODULE)
def halve(starts: wp.array(dtype=wp.vec2i), width: int, texels: wp.array(dtype=wp.vec4ub)):
    """Textures so wide as means of four texels, from the first of their starts to the second;
    colours count by how much there is of them."""
    texture, place = wp.tid()
    start = starts[texture]
    half = width // 2
    y = place // half
    first = start[0] + 2 * y * width + 2 * (place - y * half)
    colour = wp.vec3()
    whole = wp.vec2()  # of weights, of alpha
    for k in range(4):
        value = texels[first + (k // 2) * width + k % 2]
        alpha = float(value[3])
        weight = alpha + 0.001
        colour += wp.vec3(float(value[0]), float(value[1]), float(value[2])) * weight
        whole += wp.vec2(weight, alpha)
    colour = colour / whole[0]
    texels[start[1] + place] = wp.vec4ub(
        wp.uint8(colour[0] + 0.5),
        wp.uint8(colour[1] + 0.5),
        wp.uint8(colour[2] + 0.5),
        wp.uint8(whole[1] / 4.0 + 0.5),
    )


@wp.kernel(module=MODULE)
def halve_heights(starts: wp.array(dtype=wp.vec2i), width: int, heights: wp.array(dtype=wp.uint8)):
    """The same for bumps: means of four."""
    texture, place = wp.tid()
    start = starts[texture]
    half = width // 2
    y = place // half
    first = start[0] + 2 * y * width + 2 * (place - y * half)
    total = int(heights[first]) + int(heights[first + 1])
    total = total + int(heights[first + width]) + int(heights[first + width + 1])
    heights[start[1] + place] = wp.uint8((total + 2) // 4)
