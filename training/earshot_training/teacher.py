"""Labels recordings with the beats and downbeats that Beat This! (small) detects, as training targets.

Foscarin, Schlüter and Widmer, "Beat This! Accurate beat tracking without DBN postprocessing", ISMIR 2024. Code and
weights are theirs, MIT. The weights come as an ONNX file (source: README.md) and are loaded back into their PyTorch
model, which runs on a GPU. Needs beat_this, onnx and librosa.

Deviations from their peak picking: weaker peaks are kept, since a target may be a probability; and of two equal
neighbouring peaks both are kept, which hardly changes the targets but counts as two sure beats in recordings.py.
"""

from __future__ import annotations

from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from .features import SAMPLE_RATE_HZ
from .targets import BUMP

# Their values, down to PEAK_REACH_FRAMES.
FFT_SAMPLES, HOP_SAMPLES, BANDS = 1024, 441, 128
LOWEST_HZ, HIGHEST_HZ, GAIN = 30, 11000, 1000
SIZES = {"transformer_dim": 128, "ff_mult": 4, "n_layers": 6, "head_dim": 32, "stem_dim": 32}
NORM_EPSILON = 1e-5
PEAK_REACH_FRAMES = 3
"""A beat is a frame that none within this distance exceeds."""
PROBABILITY_MIN = 0.12
"""Weaker peaks are dropped, stronger ones keep their probability. Theirs: 0.5. Ours was set by hand."""


class Teacher:
    def __init__(self, onnx_path: Path, device: str) -> None:
        import librosa

        filters = librosa.filters.mel(
            sr=SAMPLE_RATE_HZ, n_fft=FFT_SAMPLES, n_mels=BANDS, fmin=LOWEST_HZ, fmax=HIGHEST_HZ, norm=None
        )
        self._filters = torch.from_numpy(filters).to(device)
        self._window = torch.hann_window(FFT_SAMPLES, device=device)
        self._network = load_network(onnx_path).to(device)
        self._device = device

    @torch.no_grad()
    def find_beats(self, audio: torch.Tensor, frames: int) -> tuple[torch.Tensor, torch.Tensor]:
        """(clips, samples) -> probabilities of beats and downbeats at peaks, zero elsewhere: (clips, frames) each."""
        spectrum = torch.stft(audio, FFT_SAMPLES, HOP_SAMPLES, window=self._window, return_complex=True)
        magnitudes = spectrum.abs() / FFT_SAMPLES**0.5
        mel = torch.log1p(GAIN * torch.einsum("mf,bft->btm", self._filters, magnitudes))[:, :frames]
        with torch.autocast(self._device, torch.bfloat16, enabled=self._device == "cuda"):
            logits = self._network(mel)
        return pick_peaks(logits["beat"].float()), pick_peaks(logits["downbeat"].float())


def pick_peaks(logits: torch.Tensor) -> torch.Tensor:
    highest = F.max_pool1d(logits[:, None], 2 * PEAK_REACH_FRAMES + 1, 1, PEAK_REACH_FRAMES)[:, 0]
    probabilities = torch.sigmoid(logits)
    return probabilities * ((logits == highest) & (probabilities > PROBABILITY_MIN))


def spread_peaks(probabilities: torch.Tensor) -> torch.Tensor:
    """The bump of targets.py around every peak, scaled by the peak's probability."""
    target = probabilities.clone()
    for distance, height in BUMP.items():
        if distance > 0:
            target[:, distance:] = torch.maximum(target[:, distance:], height * probabilities[:, :-distance])
            target[:, :-distance] = torch.maximum(target[:, :-distance], height * probabilities[:, distance:])
    return target


def load_network(onnx_path: Path) -> nn.Module:
    """Linear layers are stored in the order of the graph, transposed; batch norms are folded into convolutions."""
    import onnx
    from beat_this.model.beat_tracker import BeatThis

    graph = onnx.load(onnx_path).graph
    stored = {tensor.name: torch.from_numpy(onnx.numpy_helper.to_array(tensor).copy()) for tensor in graph.initializer}
    network = BeatThis(spect_dim=BANDS, sum_head=True, partial_transformers=True, **SIZES)
    weights = network.state_dict()
    weights |= {name.removeprefix("model."): tensor for name, tensor in stored.items() if name.startswith("model.")}
    products = [stored[node.input[1]] for node in graph.node if node.op_type == "MatMul" and node.input[1] in stored]
    weights |= {name: tensor.T.contiguous() for name, tensor in zip(_linear_names(), products, strict=True)}
    convolutions = [node for node in graph.node if node.op_type == "Conv"]
    for (layer, norm), node in zip(_convolution_names(), convolutions, strict=True):
        bias = stored[node.input[2]]
        weights[f"{layer}.weight"] = stored[node.input[1]]
        weights[f"{norm}.weight"], weights[f"{norm}.bias"] = torch.ones_like(bias), bias
        weights[f"{norm}.running_mean"] = torch.zeros_like(bias)
        weights[f"{norm}.running_var"] = torch.ones_like(bias) - NORM_EPSILON
    network.load_state_dict(weights)
    return network.eval()


def _linear_names() -> list[str]:
    def block(attention: str, feed_forward: str) -> list[str]:
        inside = [f"{attention}.{part}.weight" for part in ("to_qkv", "to_gates", "to_out.0")]
        return [*inside, f"{feed_forward}.net.1.weight", f"{feed_forward}.net.4.weight"]

    front = [f"frontend.blocks.{index}.partial" for index in range(3)]
    layers = [f"transformer_blocks.layers.{index}" for index in range(SIZES["n_layers"])]
    return [
        *(name for path in front for axis in "FT" for name in block(f"{path}.attn{axis}", f"{path}.ff{axis}")),
        "frontend.linear.weight",
        *(name for path in layers for name in block(f"{path}.0", f"{path}.1")),
        "task_heads.beat_downbeat_lin.weight",
    ]


def _convolution_names() -> list[tuple[str, str]]:
    blocks = [(f"frontend.blocks.{index}.conv2d", f"frontend.blocks.{index}.norm") for index in range(3)]
    return [("frontend.stem.conv2d", "frontend.stem.bn2d"), *blocks]
