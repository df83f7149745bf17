"""Exports a network: folds batch norms into the convolutions before them and names tensors as the engine expects."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from . import features
from .container import Model
from .networks import BeatNetwork, ChordNetwork


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().float().cpu().numpy()


def _affine(norm: nn.Module) -> tuple[np.ndarray, np.ndarray]:
    """The scale and offset that a batch norm applies at inference."""
    norm = getattr(norm, "norm", norm)
    scale = _array(norm.weight) / np.sqrt(_array(norm.running_var) + norm.eps)
    return scale, _array(norm.bias) - _array(norm.running_mean) * scale


def _folded(layer: nn.Module, scale: np.ndarray, offset: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    kernel = getattr(layer, "kernel", layer)
    weight = _array(kernel.weight)
    return weight * scale.reshape(-1, *[1] * (weight.ndim - 1)), _array(kernel.bias) * scale + offset


class _Tensors(dict):
    def add(self, name: str, weight: np.ndarray, bias: np.ndarray, shape: tuple[int, ...] | None = None) -> None:
        self[f"{name}.weight"] = weight if shape is None else weight.reshape(shape)
        self[f"{name}.bias"] = bias

    def add_input(self, norm: nn.Module) -> None:
        self["input.scale"], self["input.offset"] = _affine(norm)


def export_beats(network: BeatNetwork, version: str) -> Model:
    front, channels = network.hyper["frontChannels"], network.hyper["channels"]
    tensors = _Tensors()
    tensors.add_input(network.input_norm)
    tensors.add("conv1", *_folded(network.conv1, *_affine(network.norm1)))
    tensors.add("conv2", *_folded(network.conv2, *_affine(network.norm2)))
    tensors.add("conv3", *_folded(network.conv3, *_affine(network.norm3)), shape=(channels, front, -1))
    for index, block in enumerate(network.blocks):
        scale, offset = _affine(block.norm)
        tensors.add(f"block{index}.near", *_folded(block.near, scale[:channels], offset[:channels]))
        tensors.add(f"block{index}.far", *_folded(block.far, scale[channels:], offset[channels:]))
        tensors.add(f"block{index}.out", _array(block.out.weight), _array(block.out.bias))
    tensors.add("hidden", _array(network.hidden.weight), _array(network.hidden.bias))
    tensors.add("output", _array(network.output.weight), _array(network.output.bias))
    architecture = {
        "kind": "beat-tcn",
        **network.hyper,
        "kernel": 5,
        "dilations": [2**i for i in range(network.hyper["blocks"])],
        "pool": [3, 3],
        "activation": "elu",
        "outputs": ["beat", "downbeat"],
        "input": {
            "sampleRateHz": features.SAMPLE_RATE_HZ,
            "fftSamples": features.MEL_FFT_SAMPLES,
            "hopSamples": features.MEL_HOP_SAMPLES,
            "bands": features.MEL_BANDS,
            "lowestHz": features.MEL_LOWEST_HZ,
            "highestHz": features.MEL_HIGHEST_HZ,
            "gain": features.MEL_GAIN,
        },
    }
    return Model("beats", version, architecture, dict(tensors))


def export_chords(network: ChordNetwork, version: str) -> Model:
    front, channels = network.hyper["frontChannels"], network.hyper["channels"]
    tensors = _Tensors()
    tensors.add_input(network.input_norm)
    tensors.add("conv1", *_folded(network.conv1, *_affine(network.norm1)))
    tensors.add("conv2", *_folded(network.conv2, *_affine(network.norm2)))
    tensors.add("conv3", *_folded(network.conv3, *_affine(network.norm3)), shape=(front, front, -1))
    tensors.add("fold", *_folded(network.fold, *_affine(network.fold_norm)), shape=(channels, -1, 12))
    for index, (block, norm) in enumerate(zip(network.blocks, network.block_norms)):
        tensors.add(f"block{index}", *_folded(block, *_affine(norm)))
    tensors.add("chord", _array(network.chord.weight), _array(network.chord.bias), shape=(2, channels))
    tensors.add("silence", _array(network.silence.weight), _array(network.silence.bias), shape=(1, channels))
    tensors.add(
        "key_hidden",
        _array(network.key_hidden.kernel.weight),
        _array(network.key_hidden.kernel.bias),
        shape=(channels, channels, 12),
    )
    tensors.add("key", _array(network.key.weight), _array(network.key.bias), shape=(2, channels))
    architecture = {
        "kind": "chord-cnn",
        **network.hyper,
        "pool": 2,
        "octaves": 6,
        "activation": "elu",
        "chordClasses": "12 major from C, 12 minor from C, no chord",
        "keyClasses": "12 major from C, 12 minor from C",
        "input": {
            "sampleRateHz": features.SAMPLE_RATE_HZ,
            "fftSamples": features.PITCH_FFT_SAMPLES,
            "hopSamples": features.PITCH_HOP_SAMPLES,
            "bins": features.PITCH_BINS,
            "binsPerOctave": features.PITCH_BINS_PER_OCTAVE,
            "lowestHz": features.PITCH_LOWEST_HZ,
            "gain": features.PITCH_GAIN,
        },
    }
    return Model("chords", version, architecture, dict(tensors))
