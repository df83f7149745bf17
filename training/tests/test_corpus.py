import numpy as np
import pytest

pytest.importorskip("torch")

from earshot_training.composer.compose import compose_clip  # noqa: E402
from earshot_training.composer.harmony import NO_CHORD, UNSCORED  # noqa: E402
from earshot_training.composer.styles import TRAINING_STYLES  # noqa: E402
from earshot_training.corpus import annotate, list_chords  # noqa: E402
from earshot_training.sounds.bank import load_sound_bank  # noqa: E402


def test_frames_with_the_same_label_become_one_chord():
    labels = np.array([NO_CHORD] * 5 + [0] * 10 + [12 + 9] * 3 + [UNSCORED] * 2)
    assert list_chords(labels) == [
        {"start": 0.0, "end": 0.5, "label": "N"},
        {"start": 0.5, "end": 1.5, "label": "C:maj"},
        {"start": 1.5, "end": 1.8, "label": "A:min"},
        {"start": 1.8, "end": 2.0, "label": "X"},
    ]


def test_talk_has_no_beat_or_key_annotations():
    talk = [style for style in TRAINING_STYLES if style.name == "talk"]
    truth = annotate(compose_clip(load_sound_bank(scale=0.02), 5, talk), "talk-5")
    assert set(truth) == {"id", "audio", "duration", "style", "chords"}
    assert (truth["id"], truth["audio"], truth["duration"]) == ("talk-5", "talk-5.wav", 30.0)
    assert {chord["label"] for chord in truth["chords"]} == {"N"}
