"""Runs exported models in numpy. The engine's kernels are tested against it (vectors.py), and evaluate.py uses it."""

from __future__ import annotations

import numpy as np

from .container import Model

PITCH_CLASSES = 12


def elu(x: np.ndarray) -> np.ndarray:
    return np.where(x > 0, x, np.expm1(np.minimum(x, 0)))


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def _convolve_plane(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Convolves (in, frames, bins) with (out, in, height, width), zero-padded to keep its size."""
    _, _, height, width = weight.shape
    channels, frames, bins = x.shape
    padded = np.pad(x, ((0, 0), (height // 2, height // 2), (width // 2, width // 2)))
    out = np.zeros((weight.shape[0], frames * bins), np.float32)
    for i in range(height):
        for j in range(width):
            out += weight[:, :, i, j] @ padded[:, i : i + frames, j : j + bins].reshape(channels, -1)
    return out.reshape(-1, frames, bins) + bias[:, None, None]


def _pool_bins(x: np.ndarray, size: int) -> np.ndarray:
    return x.reshape(x.shape[0], x.shape[1], -1, size).max(-1)


def _convolve_time(x: np.ndarray, weight: np.ndarray, bias: np.ndarray, dilation: int) -> np.ndarray:
    """Convolves (in, frames) with (out, in, taps), zero-padded to keep its length."""
    taps, frames = weight.shape[2], x.shape[1]
    reach = dilation * (taps // 2)
    padded = np.pad(x, ((0, 0), (reach, reach)))
    out = sum(weight[:, :, i] @ padded[:, i * dilation : i * dilation + frames] for i in range(taps))
    return out + bias[:, None]


def beat_logits(model: Model, mel: np.ndarray) -> np.ndarray:
    """(frames, 81) -> (2, frames)"""
    w = model.tensors
    x = mel[None].astype(np.float32) * w["input.scale"] + w["input.offset"]
    x = elu(_pool_bins(_convolve_plane(x, w["conv1.weight"], w["conv1.bias"]), 3))
    x = elu(_pool_bins(_convolve_plane(x, w["conv2.weight"], w["conv2.bias"]), 3))
    x = elu(np.einsum("ocm,ctm->ot", w["conv3.weight"], x, optimize=True) + w["conv3.bias"][:, None])
    for index, dilation in enumerate(model.architecture["dilations"]):
        near = _convolve_time(x, w[f"block{index}.near.weight"], w[f"block{index}.near.bias"], dilation)
        far = _convolve_time(x, w[f"block{index}.far.weight"], w[f"block{index}.far.bias"], 2 * dilation)
        x = x + w[f"block{index}.out.weight"] @ elu(np.concatenate([near, far])) + w[f"block{index}.out.bias"][:, None]
    hidden = elu(w["hidden.weight"] @ elu(x) + w["hidden.bias"][:, None])
    return w["output.weight"] @ hidden + w["output.bias"][:, None]


def _convolve_circle(x: np.ndarray, weight: np.ndarray, bias: np.ndarray, dilation: int = 1) -> np.ndarray:
    """Convolves (in, frames, 12) with (out, in, taps, 12), circular over pitch classes, zero-padded over time."""
    taps, frames = weight.shape[2], x.shape[1]
    reach = dilation * (taps // 2)
    padded = np.pad(x, ((0, 0), (reach, reach), (0, 0)))
    out = np.zeros((weight.shape[0], frames * PITCH_CLASSES), np.float32)
    for i in range(taps):
        rows = padded[:, i * dilation : i * dilation + frames]
        for j in range(PITCH_CLASSES):
            out += weight[:, :, i, j] @ np.roll(rows, -j, axis=2).reshape(x.shape[0], -1)
    return out.reshape(-1, frames, PITCH_CLASSES) + bias[:, None, None]


def chord_logits(model: Model, pitch: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(frames, 144) -> chords (25, frames), key (24,)"""
    w = model.tensors
    x = pitch[None].astype(np.float32) * w["input.scale"] + w["input.offset"]
    x = elu(_convolve_plane(x, w["conv1.weight"], w["conv1.bias"]))
    x = elu(_pool_bins(_convolve_plane(x, w["conv2.weight"], w["conv2.bias"]), 2))
    x = elu(_convolve_plane(x, w["conv3.weight"][:, :, None], w["conv3.bias"]))
    channels, frames, _ = x.shape
    x = x.reshape(channels, frames, -1, PITCH_CLASSES).transpose(0, 2, 1, 3).reshape(-1, frames, PITCH_CLASSES)
    x = elu(_convolve_circle(x, w["fold.weight"][:, :, None], w["fold.bias"]))
    for index, dilation in enumerate(model.architecture["dilations"]):
        x = x + elu(_convolve_circle(x, w[f"block{index}.weight"], w[f"block{index}.bias"], dilation))
    chords = np.einsum("oc,ctp->opt", w["chord.weight"], x, optimize=True) + w["chord.bias"][:, None, None]
    silence = w["silence.weight"] @ x.mean(-1) + w["silence.bias"][:, None]
    summary = x.mean(1)[:, None]
    hidden = elu(_convolve_circle(summary, w["key_hidden.weight"][:, :, None], w["key_hidden.bias"]))[:, 0]
    key = (w["key.weight"] @ hidden + w["key.bias"][:, None]).reshape(2 * PITCH_CLASSES)
    return np.concatenate([chords.reshape(2 * PITCH_CLASSES, frames), silence]), key
