"""Needs PyTorch; skipped where it is not installed (CI runs the numpy tests)."""

import pytest

torch = pytest.importorskip("torch")

from earshot_training.composer.compose import compose_clip  # noqa: E402
from earshot_training.composer.harmony import UNSCORED  # noqa: E402
from earshot_training.composer.styles import TRAINING_STYLES  # noqa: E402
from earshot_training.sounds.bank import load_sound_bank  # noqa: E402
from earshot_training.studio import Studio  # noqa: E402
from earshot_training.targets import stack_beat_targets  # noqa: E402


def test_an_example_has_the_features_and_the_targets_of_its_clip():
    bank = load_sound_bank(scale=0.02)
    styles = {style.name: style for style in TRAINING_STYLES}
    clips = [compose_clip(bank, 1, [styles[name]]) for name in ("rock", "talk")]
    targets = stack_beat_targets(clips, 1500)
    mel, beats, pitch, chords, keys = Studio(bank, "cpu", 1).render_examples(clips, targets)
    assert mel.shape == (2, 1500, 81) and pitch.shape == (2, 300, 144)
    assert torch.isfinite(mel).all() and torch.isfinite(pitch).all()
    assert beats.tolist() == targets.tolist()
    assert chords.tolist() == [clip.chord_labels.tolist() for clip in clips]
    assert keys.tolist() == [clips[0].key_label, UNSCORED]
