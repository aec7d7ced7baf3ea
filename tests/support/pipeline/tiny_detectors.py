"""Detectors of real families, but tiny and of random weights, as save_pretrained lays them out."""

from pathlib import Path
from typing import Any

LABELS = {0: "person", 1: "bicycle", 2: "car"}
SMALL: dict[str, Any] = {
    "d_model": 32,
    "encoder_hidden_dim": 32,
    "encoder_in_channels": [32, 32, 32],
    "decoder_in_channels": [32, 32, 32],
    "encoder_ffn_dim": 32,
    "decoder_ffn_dim": 32,
    "num_queries": 20,
    "decoder_layers": 2,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "id2label": LABELS,
    "label2id": {name: number for number, name in LABELS.items()},
}


def tiny_detector(folder: Path, family: str) -> Path:
    """RT-DETR (`rt_detr`) or D-FINE (`d_fine`) with a backbone of a few channels."""
    import torch
    import transformers

    torch.manual_seed(3)
    if family == "rt_detr":
        backbone = transformers.RTDetrResNetConfig(
            embedding_size=16, hidden_sizes=[16, 32, 32, 32], depths=[1, 1, 1, 1],
            layer_type="basic", out_features=["stage2", "stage3", "stage4"],
        )  # fmt: skip
        config = transformers.RTDetrConfig(backbone_config=backbone, **SMALL)
        model = transformers.RTDetrForObjectDetection(config)
    else:
        backbone = transformers.HGNetV2Config(
            stem_channels=[3, 8, 8], stage_in_channels=[8, 16, 32, 32],
            stage_mid_channels=[8, 8, 8, 8], stage_out_channels=[16, 32, 32, 32],
            stage_num_blocks=[1, 1, 1, 1], stage_numb_of_layers=[2, 2, 2, 2],
            hidden_sizes=[16, 32, 32, 32], depths=[1, 1, 1, 1], embedding_size=8,
            out_features=["stage2", "stage3", "stage4"],
        )  # fmt: skip
        config = transformers.DFineConfig(backbone_config=backbone, **SMALL)
        model = transformers.DFineForObjectDetection(config)
    for name, weights in model.named_parameters():
        if "class_embed" in name and name.endswith("bias"):  # untrained ones are sure of nothing
            weights.data = torch.tensor([1.5, 0.0, -1.5])[: len(weights)]
    model.save_pretrained(folder)
    transformers.RTDetrImageProcessorPil(size={"height": 128, "width": 128}).save_pretrained(folder)
    return folder
