"""A synthetic data set in the layout of SocialNav-SUB, staged so that the truth is known."""

from paseo.vqa.synthetic.dataset import Profile, make_dataset
from paseo.vqa.synthetic.faults import Fault, spoil
from paseo.vqa.synthetic.truth import truths

__all__ = ["Fault", "Profile", "make_dataset", "spoil", "truths"]
