"""What Biswas et al. 2021 printed in Tables 2 to 4, and what runs of the released program gave."""

from dataclasses import dataclass

# The rows of the paper, and the planners of ours that stand for them. The released ORCA client
# plans checkpoints and then sends the goal, and upstream's CADRL policy loads `no_constr`.
ROWS = {
    "Social Forces": "social-force",
    "ORCA": "orca",
    "SA-CADRL": "sacadrl",
    "Baseline": "sampling",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """One row of Tables 2 to 4: (mean, standard deviation) where both are printed."""

    success: int  # of 33 episodes
    failures: tuple[int, int, int]  # timeout, person collision, wall collision
    collisions: str  # both numbers where table and text disagree
    planning_time: tuple[float, float]  # s of a whole episode, though called per step
    path_length: tuple[float, float]  # m
    path_length_ratio: tuple[float, float]  # length over straight line, as coded
    goal_traversal_ratio: float
    path_irregularity: tuple[float, float]  # rad, depends on the map's origin, as coded
    path_traversal_time: tuple[float, float]  # s
    speed: tuple[float, float]  # m/s
    energy: tuple[float, float]  # sum of squared speeds, without dt, as coded
    acceleration: tuple[float, float]  # m/s^2
    jerk: tuple[float, float]  # m/s^3


PAPER = {
    "Social Forces": Published(
        success=32,
        failures=(0, 0, 0),
        collisions="1 (text: 0, and one timeout)",
        planning_time=(18.23, 7.41),
        path_length=(17.25, 4.05),
        path_length_ratio=(1.15, 0.23),
        goal_traversal_ratio=0.52,
        path_irregularity=(1.66, 0.95),
        path_traversal_time=(15.93, 4.17),
        speed=(1.09, 0.27),
        energy=(398.33, 95.45),
        acceleration=(0.39, 1.43),
        jerk=(2.70, 28.23),
    ),
    "ORCA": Published(
        success=24,
        failures=(1, 8, 0),
        collisions="15",
        planning_time=(48.84, 23.06),
        path_length=(17.66, 5.22),
        path_length_ratio=(1.17, 0.26),
        goal_traversal_ratio=0.21,
        path_irregularity=(1.56, 1.01),
        path_traversal_time=(22.06, 7.78),
        speed=(0.80, 0.27),
        energy=(315.03, 89.89),
        acceleration=(0.31, 1.26),
        jerk=(6.28, 28.85),
    ),
    "SA-CADRL": Published(
        success=18,
        failures=(0, 14, 1),
        collisions="40",
        planning_time=(46.78, 21.38),
        path_length=(15.70, 3.72),
        path_length_ratio=(1.04, 0.05),
        goal_traversal_ratio=0.51,
        path_irregularity=(1.68, 1.04),
        path_traversal_time=(15.14, 4.21),
        speed=(1.04, 0.36),
        energy=(367.58, 87.24),
        acceleration=(0.93, 2.91),
        jerk=(31.68, 87.71),
    ),
    "Baseline": Published(
        success=9,
        failures=(1, 23, 0),
        collisions="64 (text: 60)",
        planning_time=(51.12, 16.21),
        path_length=(15.88, 3.57),
        path_length_ratio=(1.05, 0.11),
        goal_traversal_ratio=0.09,
        path_irregularity=(1.65, 1.02),
        path_traversal_time=(16.08, 3.73),
        speed=(0.99, 0.42),
        energy=(370.88, 84.55),
        acceleration=(4.81, 9.07),
        jerk=(180.86, 303.88),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerun:
    """What three episodes of the released program gave again, from the least to the most."""

    success: str
    failures: str
    collisions: int
    planning_time: str  # s that the simulator waited in an episode
    path_traversal_time: str  # s
    speed: str  # m/s
    acceleration: str  # m/s^2
    jerk: str  # m/s^3


# SA-CADRL cannot be run again: its changed environment was never published.
RERUN = {
    "Social Forces": Rerun(
        success="3/3",
        failures="0/0/0",
        collisions=0,
        planning_time="17.2 to 26.4",
        path_traversal_time="14.5 to 26.6",
        speed="0.88 to 1.16",
        acceleration="0.23 to 0.38",
        jerk="0.56 to 1.7",
    ),
    "ORCA": Rerun(
        success="3/3",
        failures="0/0/0",
        collisions=0,
        planning_time="6.1 to 19.6, 74.1 with checkpoints",
        path_traversal_time="14.0 to 18.2",
        speed="0.93 to 0.99",
        acceleration="0.29 to 0.87",
        jerk="8 to 24",
    ),
    "Baseline": Rerun(
        success="0/3",
        failures="0/3/0",
        collisions=12,
        planning_time="17.1 to 24.7",
        path_traversal_time="16.8 to 25.1",
        speed="0.96 to 1.04",
        acceleration="4.81 to 4.93",
        jerk="173 to 187",
    ),
}


@dataclass(frozen=True, slots=True)
class OriginalRun:
    """One episode that the released program was seen to run."""

    planner: str  # ours
    episode: str
    steps: int
    collisions: int
    speed: float | None = None  # m/s, mean over steps
    acceleration: float | None = None  # m/s^2, mean norm
    jerk: float | None = None  # m/s^3, mean norm


ORIGINAL_RUNS = (
    OriginalRun("orca", "t_hotel_against", 280, 0),
    OriginalRun("orca", "t_eth_dense_against", 330, 0),
    OriginalRun("orca", "t_zara1_dense", 364, 0),
    OriginalRun("social-force", "t_hotel_against", 531, 0),
    OriginalRun("social-force", "t_eth_dense_against", 289, 0),
    OriginalRun("social-force", "t_zara1_dense", 372, 0),
    OriginalRun("sampling", "t_hotel_against", 444, 2, 0.96, 4.84, 173.0),
    OriginalRun("sampling", "t_eth_dense_against", 501, 3, 0.97, 4.93, 174.0),
    OriginalRun("sampling", "t_zara1_dense", 335, 7, 1.04, 4.81, 187.0),
)
