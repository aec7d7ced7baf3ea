"""Models on this machine, through Hugging Face transformers."""

import io
from collections.abc import Sequence
from pathlib import Path
from threading import BoundedSemaphore, Lock
from time import monotonic
from typing import Any

from PIL import Image

from paseo.errors import UnknownName
from paseo.vlm.failures import ModelError
from paseo.vlm.hosted.connection import in_short
from paseo.vlm.local.weights import is_out_of_memory, load
from paseo.vlm.models import ModelSettings, Picture, Prompt, Reply, Usage

MAX_TOKENS = 512
OPTIONS = ("device", "dtype")


class LocalModel:
    """A model that reads pictures, by its name on the Hugging Face hub or its folder.

    Of all threads that ask, one is answered at a time. The likeliest words are taken unless the
    settings have a temperature above 0.
    """

    def __init__(self, model: str, settings: ModelSettings) -> None:
        for option in settings.extra:
            if option not in OPTIONS:
                raise UnknownName("setting of local models", option, OPTIONS)
        self.name = f"local/{model}"
        self._settings = settings
        self._loaded = load(model, **settings.extra)
        self._exact = _exact_name(model, self._loaded.folder)
        self._places = BoundedSemaphore(2)  # while one is answered, the next is prepared
        self._preparing, self._answering = Lock(), Lock()
        self._choose_words(settings.temperature or 0.0)

    def ask(self, prompt: Prompt) -> Reply:
        """The reply to the pictures, or to the film they make, and the text."""
        images = [_decoded(each) for each in prompt.images]
        try:
            with self._places:
                with self._preparing:
                    begun = monotonic()
                    inputs = self._inputs(prompt, images)
                    preparing_s = monotonic() - begun
                with self._answering:
                    begun = monotonic()
                    asked, answered = self._answer(inputs)
                    answering_s = monotonic() - begun
        except ModelError:
            raise
        except Exception as error:  # of any kind, by what the weights and the pictures are
            raise self._failure(error) from error
        return self._reply(asked, answered, preparing_s + answering_s)

    def _choose_words(self, temperature: float) -> None:
        """Set how words are chosen, whatever the model's own files say."""
        how = self._loaded.weights.generation_config
        how.do_sample, how.temperature = temperature > 0, temperature or None
        if not temperature:
            how.top_p = how.top_k = None
        if how.pad_token_id is None:
            how.pad_token_id = self._loaded.processor.tokenizer.pad_token_id

    def _inputs(self, prompt: Prompt, images: list[Image.Image]) -> Any:
        """Tokens and pixels, as the model takes them."""
        processor, loaded = self._loaded.processor, self._loaded
        if images and prompt.fps is not None and loaded.watches_films:
            kinds, seen = ["video"], _film(images, prompt.fps)
        else:
            kinds, seen = ["image"] * len(images), {"images": images} if images else {}
        content = [{"type": kind} for kind in kinds] + [{"type": "text", "text": prompt.text}]
        text = processor.apply_chat_template(
            [{"role": "user", "content": content}], tokenize=False, add_generation_prompt=True
        )
        begin = processor.tokenizer.bos_token
        add = not (begin and text.startswith(begin))
        return processor(text=[text], return_tensors="pt", add_special_tokens=add, **seen)

    def _answer(self, inputs: Any) -> tuple[int, list[int]]:
        """How many tokens were asked, and the new ones."""
        torch, weights = self._loaded.torch, self._loaded.weights
        asked = inputs["input_ids"].shape[1]
        room = self._room(asked)
        seed, begun = self._settings.seed, monotonic()
        with torch.inference_mode(), torch.random.fork_rng(enabled=seed is not None):
            if seed is not None:
                torch.manual_seed(seed)
            output = weights.generate(
                **inputs.to(self._loaded.device, weights.dtype),
                max_new_tokens=room,
                max_time=self._settings.timeout_s,
            )
        answered: list[int] = output[0, asked:].tolist()
        late = monotonic() - begun >= self._settings.timeout_s
        if late and len(answered) < room and not self._is_end(answered):
            raise ModelError(
                f"{self.name}: was not done within {self._settings.timeout_s:g} s; give it more "
                "time (timeout_s) or let it write less (max_tokens)",
                parameters=["timeout_s", "max_tokens"],
            )
        return asked, answered

    def _room(self, asked: int) -> int:
        """How many tokens the answer may have."""
        wanted, most = self._settings.max_tokens or MAX_TOKENS, self._loaded.most_tokens
        if most is None:
            return wanted
        if asked >= most:
            raise ModelError(
                f"{self.name}: the pictures and the text make {asked} tokens, but it was made for "
                f"{most}; send fewer or smaller pictures (images, largest_px)",
                parameters=["images", "largest_px"],
            )
        return min(wanted, most - asked)

    def _is_end(self, tokens: Sequence[int]) -> bool:
        ends = self._loaded.weights.generation_config.eos_token_id
        return bool(tokens) and tokens[-1] in (ends if isinstance(ends, list) else [ends])

    def _reply(self, asked: int, answered: Sequence[int], latency_s: float) -> Reply:
        with self._preparing:  # tokenizers may be used by one thread at a time
            text = self._loaded.processor.tokenizer.decode(answered, skip_special_tokens=True)
        return Reply(
            text=text.strip(),
            latency_s=latency_s,
            usage=Usage(input_tokens=asked, output_tokens=len(answered)),
            ending="stop" if self._is_end(answered) else "length",
            model=self._exact,
        )

    def _failure(self, error: Exception) -> ModelError:
        said = in_short(str(error) or type(error).__name__, "")
        if is_out_of_memory(error):
            self._loaded.torch.cuda.empty_cache()
            return ModelError(
                f"{self.name}: ran out of memory ({said}); send fewer or smaller pictures "
                "(images, largest_px), or take a smaller model",
                parameters=["images", "largest_px"],
            )
        return ModelError(f"{self.name}: could not answer ({type(error).__name__}: {said})")


def _exact_name(model: str, folder: Path) -> str:
    """The name, and for a model of the hub its revision, which is the name of the folder there."""
    return f"{model}@{folder.name}" if folder.parent.name == "snapshots" else model


def _decoded(picture: Picture) -> Image.Image:
    try:
        return Image.open(io.BytesIO(picture.content)).convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise ModelError(f"a picture of the prompt cannot be read: {error}") from error


def _film(frames: Sequence[Image.Image], fps: float) -> dict[str, Any]:
    """The frames as one film, none of them left out."""
    if len({each.size for each in frames}) != 1:
        raise ModelError("the frames of a film must have one size; these have several")
    width, height = frames[0].size
    metadata = {
        "total_num_frames": len(frames),
        "fps": fps,
        "width": width,
        "height": height,
        "duration": len(frames) / fps,
        "frames_indices": list(range(len(frames))),
    }
    return {"videos": [list(frames)], "video_metadata": [metadata], "do_sample_frames": False}
