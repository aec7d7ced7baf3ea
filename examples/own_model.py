"""A model of your own: looks for the brighter side of the last picture, and answers by it.

paseo ask examples/own_model.py:Mine --scenes DIR
python -c "import own_model, paseo.checks; paseo.checks.check_model(own_model.Mine)"
"""

import io
import time

from PIL import Image, ImageStat

from paseo.vlm.models import ModelSettings, Prompt, Reply


class Mine:
    """Answers with the side that is brighter, where a side is asked for, else with the last choice.

    It keeps nothing from one question to the next: many threads ask it at once.
    """

    def __init__(self, model: str, settings: ModelSettings) -> None:
        self.name = f"mine/{model or 'brighter-side'}"

    def ask(self, prompt: Prompt) -> Reply:
        """Look, choose, and reply with the JSON that the prompt asks for."""
        start = time.monotonic()
        side = self._brighter_side(prompt.images[-1].content) if prompt.images else ""
        answers = {}
        for asked in prompt.questions:
            fitting = [each for each in asked.choices if side and side in each]
            chosen = (fitting or asked.choices)[-1]
            answers[asked.key] = [chosen] if asked.several else chosen
        return Reply(text=prompt.answered(answers), latency_s=time.monotonic() - start)

    def _brighter_side(self, picture: bytes) -> str:
        image = Image.open(io.BytesIO(picture)).convert("L")
        middle = image.width // 2
        left = ImageStat.Stat(image.crop((0, 0, middle, image.height))).mean[0]
        right = ImageStat.Stat(image.crop((middle, 0, image.width, image.height))).mean[0]
        return "left" if left > right else "right"
