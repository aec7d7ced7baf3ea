"""Which model moves the people of a scenario."""

from paseo.crowd.replay import Replay
from paseo.crowd.steering.models import Steering
from paseo.world.planning import PedestrianModel
from paseo.world.scenarios import ReactionModel, Scenario


def pedestrian_model(scenario: Scenario) -> PedestrianModel:
    """Replay, or people who answer the robot as the scenario's reaction says."""
    reaction = scenario.reaction
    if reaction is None or reaction.is_none or reaction.by is ReactionModel.STOP:
        return Replay()
    # Imported when needed: a replay must not wait for kernels that it does not use.
    from paseo.crowd.reactive import Reactive

    return Reactive(_steering(reaction.by), reaction)


def _steering(by: ReactionModel) -> Steering:
    from paseo.crowd.steering.orca import Orca
    from paseo.crowd.steering.social_force import Form, SocialForce

    if by is ReactionModel.ORCA:
        return Orca()
    # The form that was measured on people who pass each other; it turns aside before it brakes.
    return SocialForce(form=Form.ANGULAR)
