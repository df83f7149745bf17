"""What is sung of recorded words, as far as it needs no vocoder."""

import numpy as np
from earshot_training.features import SAMPLE_RATE_HZ
from earshot_training.singing import _melody, _stretch, speak, split_words


def test_words_are_parted_at_silence():
    word = np.sin(np.arange(int(0.5 * SAMPLE_RATE_HZ)) * 0.05).astype(np.float32)
    pause = np.zeros(int(0.3 * SAMPLE_RATE_HZ), np.float32)
    words = split_words(np.concatenate([word, pause, word, pause]))
    assert [round(len(found) / SAMPLE_RATE_HZ, 1) for found in words] == [0.5, 0.5]


def test_vowels_are_held_and_consonants_are_not():
    voiced = np.zeros(100, bool)
    voiced[40:60] = True
    index = _stretch(voiced, np.ones(100), np.random.default_rng(1))
    assert (np.diff(index) >= 0).all()
    assert ((index >= 40) & (index < 60)).sum() > 20
    assert (index < 40).sum() == 40
    assert (index >= 60).sum() == 40


def test_a_melody_has_a_pitch_for_every_frame_of_a_short_word_too():
    for frame_count in (5, 59, 61, 400):
        melody = _melody(np.random.default_rng(2), 220.0, frame_count)
        assert melody.shape == (frame_count,)
        assert (melody > 50).all() and (melody < 1000).all()


def test_words_are_spoken_one_after_the_other_for_as_long_as_asked():
    word = np.full(int(0.2 * SAMPLE_RATE_HZ), 0.5, np.float32)
    spoken = speak([word], np.random.default_rng(3), 2.0)
    assert len(spoken) == 2 * SAMPLE_RATE_HZ
    assert spoken.max() > 0 and (spoken == 0).any()
