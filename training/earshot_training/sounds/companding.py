"""8-bit mu-law: how the committed bank stores its waveforms."""

from __future__ import annotations

import numpy as np

SAMPLE_RATE_HZ = 22050
FADE_SAMPLES = 1500
MU = 255.0


def compress(waveform: np.ndarray) -> np.ndarray:
    companded = np.sign(waveform) * np.log1p(MU * np.abs(np.clip(waveform, -1, 1))) / np.log1p(MU)
    return np.round(companded * 127).astype(np.int8)


def expand(stored: np.ndarray) -> np.ndarray:
    companded = stored.astype(np.float32) / 127
    return np.sign(companded) * np.expm1(np.abs(companded) * np.log1p(MU)) / MU
