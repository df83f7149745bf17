"""The beat F-measure (Dixon 2007): hits within 70 ms, one estimate for one reference."""

from __future__ import annotations

TOLERANCE_S = 0.07


def f_measure(reference_s: list[float], estimate_s: list[float]) -> float:
    if not len(reference_s) and not len(estimate_s):
        return 1.0
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
