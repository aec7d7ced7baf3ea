"""Messages out of their bytes by `rosbags`, of the few types that are needed.

Definitions that a bag brings are never used: `rosbags` makes Python code of definitions, and what
these types look like is known. A topic of ROS 1 with another definition is told by its digest.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from paseo.errors import require
from paseo.pipeline.drives.bags.bag import Broken, Topic, Wire
from paseo.pipeline.drives.bags.unpacking import ZSTD_MAGIC, unpacked

PICTURE, RAW = "sensor_msgs/msg/CompressedImage", "sensor_msgs/msg/Image"
ODOMETRY, LOCATION = "nav_msgs/msg/Odometry", "amrl_msgs/msg/Localization2DMsg"
CAMERA, SCAN = "sensor_msgs/msg/CameraInfo", "sensor_msgs/msg/LaserScan"
TRANSFORMS, OLD_TRANSFORMS = "tf2_msgs/msg/TFMessage", "tf/msg/tfMessage"
TYPES = (PICTURE, RAW, ODOMETRY, LOCATION, CAMERA, SCAN, TRANSFORMS, OLD_TRANSFORMS)
# What ROS itself does not bring: UT Austin's amrl_msgs, of SCAND's robots, and transforms in ROS 1.
OWN: Mapping[str, str] = {
    "amrl_msgs/msg/Pose2Df": "float32 x\nfloat32 y\nfloat32 theta\n",
    LOCATION: "std_msgs/Header header\namrl_msgs/Pose2Df pose\nstring map\n",
    TRANSFORMS: "geometry_msgs/TransformStamped[] transforms\n",
    OLD_TRANSFORMS: "geometry_msgs/TransformStamped[] transforms\n",
}
PURPOSE = "reads and writes messages of ROS"


@cache
def store(wire: Wire) -> Any:
    """The types of ROS 1 or 2, with ours."""
    typesys = require("rosbags.typesys", "bags", PURPOSE, package="rosbags")
    stores = typesys.Stores
    made = typesys.get_typestore(stores.ROS1_NOETIC if wire is Wire.ROS1 else stores.LATEST)
    for name, text in OWN.items():
        if name not in made.types:
            made.register(typesys.get_types_from_msg(text, name))
    return made


@cache
def digest(name: str) -> str:
    """The digest by which ROS 1 knows a definition."""
    return str(store(Wire.ROS1).generate_msgdef(name)[1])


def is_known(topic: Topic) -> bool:
    """Whether messages of a topic can be read: by their type, their layout and their definition."""
    if topic.type not in TYPES or topic.wire is Wire.OTHER:
        return False
    return topic.digest in ("", "*") or topic.digest == digest(topic.type)


def plain(data: bytes | memoryview) -> bytes | memoryview:
    """A message that may be packed by itself, as ROS 2 can."""
    return unpacked(bytes(data), "zstd") if bytes(data[:4]) == ZSTD_MAGIC else data


def decoded(topic: Topic, data: bytes | memoryview) -> Any:
    """The message as `rosbags` makes it; `Broken` if its bytes are none."""
    known = store(topic.wire)
    try:
        read = known.deserialize_ros1 if topic.wire is Wire.ROS1 else known.deserialize_cdr
        return read(bytes(plain(data)), topic.type)
    except Broken:
        raise
    except Exception as error:  # bytes of others: whatever its code meets
        raise Broken(f"a message cannot be read ({type(error).__name__})") from error
