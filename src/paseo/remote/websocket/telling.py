"""Our values as messages, and messages as our values again: no number is changed on the way."""

import hashlib
import math
import zlib
from collections.abc import Sequence

import msgspec
import numpy as np
from msgspec import structs

from paseo.errors import BadScenario, BadValue
from paseo.remote.client import LARGEST_WALLS, unpacked
from paseo.remote.websocket.messages import (
    LONGEST_TOLD,
    MOST_PIXELS,
    CameraTold,
    EndedTold,
    EpisodeTold,
    ImageNow,
    MapTold,
    ObservationTold,
    PeopleNow,
    PlaceTold,
    PoseSaid,
    PoseTold,
    RobotNow,
    RobotTold,
    Score,
    TwistSaid,
)
from paseo.suite.runs.results import Result
from paseo.world.cameras import Camera, RgbdImage, Sight
from paseo.world.motion import Command, Pose, Robot, RobotState, Twist
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation
from paseo.world.records import Verdict
from paseo.world.space.floorplan import MAX_CELLS, FloorPlan, Place

NO_HASH = 64 * "0"
LARGEST_MAP = LONGEST_TOLD * 3 // 4 - 4096  # bytes, of which base64 makes a third more


def map_told(plan: FloorPlan) -> MapTold:
    """The floor plan, compressed, under the hash of all it says."""
    told = MapTold(
        map=NO_HASH,
        name=plan.name,
        cell_m=float(plan.cell_size),
        origin_m=(float(plan.origin[0]), float(plan.origin[1])),
        rows=plan.free.shape[0],
        columns=plan.free.shape[1],
        walls=zlib.compress(plan.walls.astype("<f8").tobytes(), 9),
        free=zlib.compress(np.packbits(plan.free).tobytes(), 9),
        places=[PlaceTold(name=p.name, kind=p.kind, x_m=p.x, y_m=p.y) for p in plan.places],
        source=plan.source,
        inferred=plan.inferred,
    )
    if (size := len(msgspec.msgpack.encode(told))) > LARGEST_MAP:
        raise BadScenario(
            f"floor plan '{plan.name}' has {size} bytes when it is compressed, but at most "
            f"{LARGEST_MAP} can be told; make it smaller"
        )
    return structs.replace(told, map=hashlib.sha256(msgspec.json.encode(told)).hexdigest())


def floor_plan_of(told: MapTold) -> FloorPlan:
    """The floor plan that was told."""
    size = (told.rows * told.columns + 7) // 8
    free = unpacked(told.free, least=size, most=min(size, MAX_CELLS))
    bits = np.unpackbits(np.frombuffer(free, np.uint8), count=told.rows * told.columns)
    walls = unpacked(told.walls, least=0, most=LARGEST_WALLS, piece=32)
    return FloorPlan(
        name=told.name,
        walls=np.frombuffer(walls, "<f8").reshape(-1, 2, 2),
        free=bits.astype(np.bool_).reshape(told.rows, told.columns),
        cell_size=told.cell_m,
        origin=told.origin_m,
        places=tuple(Place(each.name, each.kind, each.x_m, each.y_m) for each in told.places),
        source=told.source,
        inferred=told.inferred,
    )


def episode_told(name: str, map_hash: str, briefing: Briefing) -> EpisodeTold:
    """The briefing of the episode of this name."""
    return EpisodeTold(
        name=name,
        map=map_hash,
        start=_pose_told(briefing.start),
        goal=_pose_told(briefing.goal),
        goal_radius_m=float(briefing.goal_radius),
        time_limit_s=float(briefing.time_limit),
        dt_s=float(briefing.dt),
        robot=_robot_told(briefing.robot),
        control=briefing.control,
        seed=briefing.seed,
        camera=None if briefing.camera is None else _camera_told(briefing.camera),
    )


def briefing_of(told: EpisodeTold, plan: FloorPlan) -> Briefing:
    """What a planner is told of an episode on this floor plan."""
    return Briefing(
        start=_pose_of(told.start),
        goal=_pose_of(told.goal),
        goal_radius=told.goal_radius_m,
        floorplan=plan,
        time_limit=told.time_limit_s,
        dt=told.dt_s,
        robot=_robot_of(told.robot),
        control=told.control,
        seed=told.seed,
        camera=None if told.camera is None else _camera_of(told.camera),
    )


def observation_told(step: int, observation: Observation) -> ObservationTold:
    """What is sensed at a step, with the picture if there is one."""
    crowd = observation.crowd
    people = PeopleNow(
        crowd.ids.tolist(),
        crowd.positions.tolist(),
        crowd.velocities.tolist(),
        crowd.radii.tolist(),
    )
    robot = robot_now(observation.robot)
    image = None if observation.image is None else _image_told(observation.image)
    return ObservationTold(
        step=step, time_s=observation.time, robot=robot, people=people, image=image
    )


def observation_of(
    told: ObservationTold, radius: float, before: RgbdImage | None = None
) -> Observation:
    """What a robot of this radius senses; `before` is the last picture, held if none is new."""
    now, people = told.robot, told.people
    crowd = Crowd(
        np.array(people.ids, np.int64),
        np.array(people.positions_m, np.float64).reshape(-1, 2),
        np.array(people.velocities_mps, np.float64).reshape(-1, 2),
        np.array(people.radii_m, np.float64),
    )
    for array in (crowd.ids, crowd.positions, crowd.velocities, crowd.radii):
        array.setflags(write=False)
    robot = RobotState(
        Pose(now.x_m, now.y_m, now.heading_rad), Twist(now.forward_mps, now.turn_radps), radius
    )
    image = before if told.image is None else _image_of(told.image)
    return Observation(told.time_s, robot, crowd, image)


def check_sights(sights: Sequence[Sight | None]) -> None:
    """`BadValue` where a camera's pictures would be too large to be told."""
    for camera in (sight.camera for sight in sights if sight is not None):
        if camera.width_px * camera.height_px > MOST_PIXELS:
            raise BadValue(
                f"a camera of {camera.width_px}x{camera.height_px} pixels is too large for "
                f"clients, who can be told {MOST_PIXELS}; choose a smaller one",
                parameters=("camera",),
            )


def _image_told(image: RgbdImage) -> ImageNow:
    height, width = image.depth.shape
    return ImageNow(
        time_s=image.time,
        robot=_pose_told(image.pose),
        width_px=width,
        height_px=height,
        rgb=zlib.compress(image.rgb.tobytes(), 1),
        depth=zlib.compress(image.depth.astype("<f4").tobytes(), 1),
    )


def _image_of(told: ImageNow) -> RgbdImage:
    shape = told.height_px, told.width_px
    size = told.height_px * told.width_px
    colours = unpacked(told.rgb, least=3 * size, most=3 * min(size, MOST_PIXELS))
    depths = unpacked(told.depth, least=4 * size, most=4 * min(size, MOST_PIXELS))
    rgb = np.frombuffer(colours, np.uint8).reshape(*shape, 3)
    depth = np.frombuffer(depths, "<f4").reshape(shape)
    return RgbdImage(told.time_s, _pose_of(told.robot), rgb, depth)


def _camera_told(camera: Camera) -> CameraTold:
    return CameraTold(
        width_px=camera.width_px,
        height_px=camera.height_px,
        fx_px=float(camera.fx),
        fy_px=float(camera.fy),
        cx_px=float(camera.cx),
        cy_px=float(camera.cy),
        distortion=[float(each) for each in camera.distortion],
        near_m=float(camera.near),
        far_m=float(camera.far),
        height_m=float(camera.height),
        pitch_down_rad=float(camera.pitch),
        yaw_left_rad=float(camera.yaw),
        forward_m=float(camera.forward),
    )


def _camera_of(told: CameraTold) -> Camera:
    return Camera(
        width_px=told.width_px,
        height_px=told.height_px,
        fx=told.fx_px,
        fy=told.fy_px,
        cx=told.cx_px,
        cy=told.cy_px,
        distortion=tuple(told.distortion),
        near=told.near_m,
        far=told.far_m,
        height=told.height_m,
        pitch=told.pitch_down_rad,
        yaw=told.yaw_left_rad,
        forward=told.forward_m,
    )


def robot_now(state: RobotState) -> RobotNow:
    """The robot at one moment."""
    pose, twist = state.pose, state.twist
    return RobotNow(pose.x, pose.y, pose.heading, twist.forward, twist.turn)


def command_of(said: TwistSaid | PoseSaid) -> Command:
    """What the robot is to do."""
    if isinstance(said, TwistSaid):
        return Twist(said.forward_mps, said.turn_radps)
    return Pose(said.x_m, said.y_m, said.heading_rad)


def command_said(command: Command) -> TwistSaid | PoseSaid:
    """The command of a planner."""
    if isinstance(command, Twist):
        return TwistSaid(forward_mps=command.forward, turn_radps=command.turn)
    return PoseSaid(x_m=command.x, y_m=command.y, heading_rad=command.heading)


def upcoming_of(said: TwistSaid | PoseSaid) -> tuple[Command, ...] | None:
    """What the robot is to do in the steps after, if that was said."""
    if said.upcoming is None:
        return None
    return tuple(Twist(*row) if len(row) == 2 else Pose(*row) for row in said.upcoming)


def upcoming_said(commands: Sequence[Command] | None) -> list[list[float]] | None:
    """What a planner plans to do, as bare numbers."""
    if commands is None:
        return None
    return [list(map(float, structs.astuple(each))) for each in commands]


def ended_told(result: Result, step: int, state: RobotState) -> EndedTold:
    """How an episode ended, as its result says."""
    return EndedTold(
        episode=result.episode,
        outcome=result.outcome,
        verdict=result.verdict,
        reason=result.reason,
        step=step,
        time_s=result.time_s,
        robot=robot_now(state),
        score=Score(
            success=result.verdict is Verdict.SUCCESS,
            person_contacts=result.person_contacts,
            caused_contacts=result.caused_contacts or 0,
            shared_contacts=result.shared_contacts or 0,
            walked_into_contacts=result.walked_into_contacts or 0,
            time_to_goal_s=result.time_to_goal_s,
        ),
    )


def _pose_told(pose: Pose) -> PoseTold:
    return PoseTold(float(pose.x), float(pose.y), float(pose.heading))


def _pose_of(told: PoseTold) -> Pose:
    return Pose(told.x_m, told.y_m, told.heading_rad)


def _robot_told(robot: Robot) -> RobotTold:
    return RobotTold(
        name=robot.name,
        radius_m=float(robot.radius),
        max_speed_mps=float(robot.max_speed),
        max_reverse_speed_mps=_limit(robot.max_reverse_speed),
        max_turn_radps=_limit(robot.max_turn),
        max_acceleration_mps2=_limit(robot.max_acceleration),
        max_turn_acceleration_radps2=_limit(robot.max_turn_acceleration),
        sensor_height_m=float(robot.sensor_height),
        wall_radius_m=None if robot.wall_radius is None else float(robot.wall_radius),
    )


def _robot_of(told: RobotTold) -> Robot:
    return Robot(
        name=told.name,
        radius=told.radius_m,
        max_speed=told.max_speed_mps,
        max_reverse_speed=_limit_of(told.max_reverse_speed_mps),
        max_turn=_limit_of(told.max_turn_radps),
        max_acceleration=_limit_of(told.max_acceleration_mps2),
        max_turn_acceleration=_limit_of(told.max_turn_acceleration_radps2),
        sensor_height=told.sensor_height_m,
        wall_radius=told.wall_radius_m,
    )


def _limit(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _limit_of(told: float | None) -> float:
    return math.inf if told is None else told
