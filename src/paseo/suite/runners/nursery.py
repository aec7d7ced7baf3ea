"""What the clean server imports that workers are forked from; it adopts whom planners leave."""

from paseo.suite.runners import worker
from paseo.suite.runners.strays import adopt_orphans

__all__ = ["worker"]

adopt_orphans()
