"""Ask any model about a picture: its name, a JPEG file, a question.

python examples/ask_a_model.py openai/gpt-4o street.jpg "Who gives way to whom?"
"""

import sys
from pathlib import Path

from paseo.vlm.making import make_model
from paseo.vlm.models import ModelSettings, Picture, Prompt

name, file, question = sys.argv[1:]
ask = make_model(name, ModelSettings()).ask
picture = Picture(Path(file).read_bytes())
print(ask(Prompt(text=question, images=(picture,))).text)
