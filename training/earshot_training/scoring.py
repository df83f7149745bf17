"""Quick scores for watching a training run. The figures that count come from the evaluator over decoded songs."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F

from .features import MEL_FRAMES_PER_S

TOLERANCE_S = 0.07


def f_measure(reference_s: list[float], estimate_s: list[float]) -> float:
    if not len(reference_s) or not len(estimate_s):
        return 0.0
    i = j = hits = 0
    while i < len(reference_s) and j < len(estimate_s):
        gap_s = estimate_s[j] - reference_s[i]
        if abs(gap_s) <= TOLERANCE_S:
            hits, i, j = hits + 1, i + 1, j + 1
        elif gap_s < 0:
            j += 1
        else:
            i += 1
    return 2 * hits / (len(reference_s) + len(estimate_s))


def pick_peaks(activation: torch.Tensor, threshold: float, reach_frames: int) -> np.ndarray:
    """Seconds of local maxima above a threshold: no tempo model, so a lower bound of what the decoder makes of it."""
    highest = F.max_pool1d(activation[None, None], 2 * reach_frames + 1, 1, reach_frames)[0, 0]
    peaks = ((activation == highest) & (activation > threshold)).nonzero()[:, 0]
    return peaks.cpu().numpy() / MEL_FRAMES_PER_S
