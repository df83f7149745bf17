"""Needs PyTorch; skipped where it is not installed (CI runs the numpy tests)."""

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("torch")

from earshot_training import evaluate  # noqa: E402
from earshot_training.composer.harmony import UNSCORED  # noqa: E402


def score(chord_labels: list[int], key_label: int | None, monkeypatch) -> tuple[float, ...]:
    """Beats every half second and downbeats every second, of which the network finds the first; chords and key: C."""
    logits = np.full((2, 200), -9.0)
    logits[0, [25, 50, 75, 100]] = 9
    logits[1, 25] = 9
    chords, key = np.eye(25)[[0] * len(chord_labels)].T, np.eye(24)[0]
    monkeypatch.setattr(evaluate, "beat_logits", lambda model, mel: logits)
    monkeypatch.setattr(evaluate, "chord_logits", lambda model, pitch: (chords, key))
    clip = SimpleNamespace(
        beats_s=[0.5, 1.0, 1.5, 2.0],
        downbeats_s=[0.5, 1.5],
        chord_labels=np.array(chord_labels),
        key_label=key_label,
    )
    return evaluate.score_clip(None, None, clip, None, None)


def test_a_clip_has_scores_for_beats_downbeats_chords_and_key(monkeypatch):
    # Three of four labelled chords are right.
    assert score([0, 0, 5, 0, UNSCORED], 0, monkeypatch) == pytest.approx((1, 2 / 3, 0.75, 1))
    assert score([0, 0], 12, monkeypatch) == pytest.approx((1, 2 / 3, 1, 0))


def test_a_clip_without_labels_has_no_score_for_them(monkeypatch):
    assert np.isnan(score([UNSCORED] * 3, None, monkeypatch)).tolist() == [False, False, True, True]
