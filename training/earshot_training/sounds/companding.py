"""8-bit mu-law (the curve that ITU-T G.711 approximates), in which the committed bank stores its waveforms."""

from __future__ import annotations

import numpy as np

MU = 255.0
STEPS_PER_SIGN = 127


def compress(waveform: np.ndarray) -> np.ndarray:
    companded = np.sign(waveform) * np.log1p(MU * np.abs(np.clip(waveform, -1, 1))) / np.log1p(MU)
    return np.round(companded * STEPS_PER_SIGN).astype(np.int8)


def expand(stored: np.ndarray) -> np.ndarray:
    companded = stored.astype(np.float32) / STEPS_PER_SIGN
    return np.sign(companded) * np.expm1(np.abs(companded) * np.log1p(MU)) / MU
