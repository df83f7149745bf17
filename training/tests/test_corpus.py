import wave

import numpy as np
import pytest

pytest.importorskip("torch")

from earshot_training.composer.compose import Clip, compose_clip  # noqa: E402
from earshot_training.composer.harmony import NO_CHORD, UNSCORED  # noqa: E402
from earshot_training.composer.styles import TRAINING_STYLES  # noqa: E402
from earshot_training.corpus import annotate, list_chords, write_wav  # noqa: E402
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


def test_a_clip_with_a_pulse_and_a_key_has_annotations_of_both():
    beats_s, downbeats_s = [0.25, 0.75, 1.25, 2.0], [0.25, 2.0]
    clip = Clip("waltz", np.zeros((0, 11)), beats_s, downbeats_s, np.zeros(300, int), 12 + 9, 3, None)
    truth = annotate(clip, "waltz-0")
    # The median of half a second, half a second and three quarters.
    assert (truth["tempo_bpm"], truth["time_signature"], truth["key"]) == (120.0, "3/4", "A:min")
    assert (truth["beats"], truth["downbeats"]) == (beats_s, downbeats_s)


def test_a_file_has_the_networks_rate_and_its_peak_at_nine_tenths_of_full_scale(tmp_path):
    write_wav(tmp_path / "clip.wav", np.array([0, 0.5, -2, 1]))
    with wave.open(str(tmp_path / "clip.wav")) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 22050)
        assert np.frombuffer(file.readframes(4), "<i2").tolist() == [0, 7372, -29490, 14745]
