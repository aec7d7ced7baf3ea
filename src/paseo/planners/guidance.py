"""Guided rollouts."""

import math

from paseo.planners.rollouts import FORWARD, TURN, Ground, Limits, looked_up
from paseo.world.compiled import compiled_like_numpy
from paseo.world.people import FloatArray

REACTION = 0.3


@compiled_like_numpy
def guide(
    start: FloatArray, shapes: FloatArray, limits: Limits, ground: Ground, controls: FloatArray
) -> None:
    _, steps, count = controls.shape
    step, cell = limits.step, ground.way_cell
    for k in range(count):
        x, y, heading = start[0], start[1], start[2]
        speed = turn = 0.0
        for h in range(steps):
            early = h * step < shapes[k, 2]
            if h % 2 == 1:
                controls[FORWARD, h, k], controls[TURN, h, k] = speed, turn
                continue
            dx, dy = ground.goal_x - x, ground.goal_y - y
            here = looked_up(x, y, ground.metres, ground.x0, ground.y0, cell)
            if here > 1.12 * math.sqrt(dx * dx + dy * dy) + 0.1:
                dx = looked_up(x - cell, y, ground.metres, ground.x0, ground.y0, cell) - looked_up(x + cell, y, ground.metres, ground.x0, ground.y0, cell)
                dy = looked_up(x, y - cell, ground.metres, ground.x0, ground.y0, cell) - looked_up(x, y + cell, ground.metres, ground.x0, ground.y0, cell)
            wanted = math.atan2(dy, dx)
            time = h * step
            if early and shapes[k, 4] > 1.5:
                speed, turn = shapes[k, 0], shapes[k, 1]
            elif shapes[k, 4] > 1.5 and time < shapes[k, 5]:
                speed, turn = shapes[k, 6], shapes[k, 7]
            else:
                if early:
                    wanted += shapes[k, 1]
                error = wanted - heading
                error -= 2.0 * math.pi * math.floor(error / (2.0 * math.pi) + 0.5)
                turn = min(max(error / REACTION, -limits.turn), limits.turn)
                speed = shapes[k, 0] if early else shapes[k, 3]
                speed *= max(math.cos(error), shapes[k, 4] if early else 0.0)
            controls[FORWARD, h, k], controls[TURN, h, k] = speed, turn
            heading += turn * step
            x += 2.0 * speed * step * math.cos(heading)
            y += 2.0 * speed * step * math.sin(heading)
            heading += turn * step
