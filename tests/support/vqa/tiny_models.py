"""Models that read pictures, of real families but tiny and of random weights, laid out on disk as
the Hugging Face hub lays them out."""

import json
from pathlib import Path
from typing import Any

IMAGE, VIDEO, START, END = "<|image_pad|>", "<|video_pad|>", "<|vision_start|>", "<|vision_end|>"
SPECIALS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", IMAGE, VIDEO, START, END]
TEMPLATE = """{% for message in messages %}<|im_start|>{{ message['role'] }}
{% for part in message['content'] %}{% if part['type'] == 'image' %}IMAGE{% elif \
part['type'] == 'video' %}VIDEO{% else %}{{ part['text'] }}{% endif %}{% endfor %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""
CONTEXT = 4096  # tokens
TEXT = {
    "hidden_size": 32,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
    "max_position_embeddings": CONTEXT,
    "initializer_range": 0.3,  # attention to everything alike would make models deaf and blind
    "bos_token_id": None,
    "eos_token_id": 258,
    "pad_token_id": 256,
}
VISION = {
    "model_type": "clip_vision_model",
    "hidden_size": 16,
    "intermediate_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "image_size": 16,
    "patch_size": 4,
    "projection_dim": 16,
}
SQUARE: dict[str, Any] = {
    "size": {"shortest_edge": 16},
    "crop_size": {"height": 16, "width": 16},
    "do_center_crop": True,
}
PIXELS: dict[str, Any] = {
    "do_resize": True,
    "do_rescale": True,
    "do_normalize": True,
    "image_mean": [0.5, 0.5, 0.5],
    "image_std": [0.25, 0.25, 0.25],
    "resample": 3,
}


def tiny_llava(folder: Path) -> Path:
    """LLaVA-NeXT-Video: a film is 2 x 2 tokens per frame, however large its frames are."""
    from transformers import LlavaNextVideoConfig

    pinpoints = [[16, 32], [32, 16], [32, 32]]
    config = LlavaNextVideoConfig(
        vision_config=VISION,
        text_config={"model_type": "llama", "vocab_size": _vocabulary(folder), **TEXT},
        image_grid_pinpoints=pinpoints,
        image_token_index=259,
        video_token_index=260,
    )
    _write(
        folder / "preprocessor_config.json",
        image_processor_type="LlavaNextImageProcessor",
        image_grid_pinpoints=pinpoints,
        do_pad=True,
        **SQUARE,
        **PIXELS,
    )
    _write_processor(folder, "LlavaNextVideoProcessor", video_token=VIDEO)
    return _saved(config, folder, image=IMAGE, video=VIDEO)


def tiny_llava_1_5(folder: Path) -> Path:
    """LLaVA 1.5, which takes no films: 4 x 4 tokens per picture."""
    from transformers import LlavaConfig

    config = LlavaConfig(
        vision_config=VISION,
        text_config={"model_type": "llama", "vocab_size": _vocabulary(folder), **TEXT},
        image_token_index=259,
    )
    _write(
        folder / "preprocessor_config.json",
        image_processor_type="CLIPImageProcessor",
        **SQUARE,
        **PIXELS,
    )
    _write_processor(folder, "LlavaProcessor")
    return _saved(config, folder, image=IMAGE, video="")


def tiny_qwen(folder: Path, *, family: str = "qwen2_5_vl") -> Path:
    """Qwen-VL: a token per 8 x 8 pixels, and per two frames of a film."""
    from transformers import AutoConfig

    vision = {"depth": 2, "num_heads": 2, "patch_size": 4, "hidden_size": 16}
    if family == "qwen2_5_vl":
        vision |= {"out_hidden_size": 32, "window_size": 16, "fullatt_block_indexes": [1]}
    if family == "qwen3_vl":
        vision |= {"out_hidden_size": 32, "num_position_embeddings": 64}
        vision |= {"deepstack_visual_indexes": [0, 1]}
    if family == "qwen2_vl":
        vision |= {"embed_dim": 16, "hidden_size": 32}
    rope = {"rope_type": "default", "mrope_section": [2, 3, 3], "rope_theta": 10000.0}
    config = AutoConfig.for_model(
        family,
        vision_config={"intermediate_size": 16, **vision},
        text_config={
            "vocab_size": _vocabulary(folder),
            "head_dim": 16,
            "rope_parameters": rope,
            **TEXT,
        },
        image_token_id=259,
        video_token_id=260,
        vision_start_token_id=261,
        vision_end_token_id=262,
    )
    patches: dict[str, Any] = {"patch_size": 4, "temporal_patch_size": 2, "merge_size": 2}
    _write(
        folder / "preprocessor_config.json",
        image_processor_type="Qwen2VLImageProcessor",
        min_pixels=256,
        max_pixels=4096,
        **patches,
        **PIXELS,
    )
    if family == "qwen3_vl":
        _write(
            folder / "video_preprocessor_config.json",
            video_processor_type="Qwen3VLVideoProcessor",
            size={"shortest_edge": 256, "longest_edge": 40960},  # of all frames together
            **patches,
            **PIXELS,
        )
    return _saved(config, folder, image=START + IMAGE + END, video=START + VIDEO + END)


def _vocabulary(folder: Path) -> int:
    """Every byte is a token; returns how many there are."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({letter: k for k, letter in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(SPECIALS)
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )
    fast.save_pretrained(folder)
    return len(alphabet) + len(SPECIALS)


def _write_processor(folder: Path, kind: str, **values: object) -> None:
    _write(
        folder / "processor_config.json",
        processor_class=kind,
        image_token=IMAGE,
        patch_size=4,
        num_additional_image_tokens=1,
        vision_feature_select_strategy="default",
        **values,
    )


def _write(path: Path, **values: object) -> None:
    path.write_text(json.dumps(values), encoding="utf-8")


def _saved(config: Any, folder: Path, *, image: str, video: str) -> Path:
    import torch
    from transformers import AutoModelForImageTextToText

    template = TEMPLATE.replace("IMAGE", image).replace("VIDEO", video)
    (folder / "chat_template.jinja").write_text(template, encoding="utf-8")
    with torch.random.fork_rng():
        torch.manual_seed(1)
        weights = AutoModelForImageTextToText.from_config(config)
    weights.generation_config.eos_token_id = None  # it never ends by itself
    weights.save_pretrained(folder)
    return folder
