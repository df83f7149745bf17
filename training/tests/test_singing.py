"""The parts of singing.py that need no vocoder."""

import numpy as np

from earshot_training.features import SAMPLE_RATE_HZ
from earshot_training.singing import _melody, _move_formants, _read_between, _stretch, speak, split_words


def test_words_are_separated_at_silence():
    word = np.sin(np.arange(int(0.5 * SAMPLE_RATE_HZ)) * 0.05).astype(np.float32)
    pause = np.zeros(int(0.3 * SAMPLE_RATE_HZ), np.float32)
    words = split_words(np.concatenate([word, pause, word, pause]))
    # Cut at frames of 10 ms, the first of which may lie across the edge.
    assert len(words) == 2
    assert all(abs(len(found) - len(word)) <= 0.02 * SAMPLE_RATE_HZ for found in words)


def test_vowels_are_held_and_consonants_are_not():
    voiced = np.zeros(100, bool)
    voiced[40:60] = True
    level = np.ones(100)
    level[50] = 10
    index = _stretch(voiced, level, np.random.default_rng(1))
    assert (np.diff(index) >= 0).all()
    assert ((index >= 40) & (index < 60)).sum() > 20
    # No frame is passed over, and the loudest takes the time.
    assert np.diff(index).max() < 2
    assert np.bincount(index.astype(int)).argmax() == 50
    assert (index < 40).sum() == 40
    assert (index >= 60).sum() == 40


def test_a_melody_has_a_pitch_for_every_frame_of_a_short_word_too():
    for frame_count in (5, 59, 61, 400):
        melody_hz = _melody(np.random.default_rng(2), 220.0, frame_count)
        assert melody_hz.shape == (frame_count,)
        # From an octave below the centre to two above it, with half an octave for vibrato and drift.
        assert (melody_hz > 220 / 2**1.5).all() and (melody_hz < 220 * 2**2.5).all()


def test_words_are_spoken_one_after_the_other_for_as_long_as_asked():
    word = np.full(int(0.2 * SAMPLE_RATE_HZ), 0.5, np.float32)
    spoken = speak([word], np.random.default_rng(3), 2.0)
    assert len(spoken) == 2 * SAMPLE_RATE_HZ
    # Runs of sound: every one is the whole word, but for the last, which may be cut.
    edges = np.flatnonzero(np.diff(np.concatenate([[0], spoken != 0, [0]])))
    lengths = edges[1::2] - edges[::2]
    assert len(lengths) >= 3
    assert (lengths[:-1] == len(word)).all() and lengths[-1] <= len(word)


def test_an_envelope_is_read_halfway_in_decibels_between_two_frames():
    envelope = np.array([[1, 4], [100, 4]], np.float32)
    # Interpolated in single precision.
    assert np.allclose(_read_between(envelope, np.array([0, 0.5, 1])), [[1, 4], [10, 4], [100, 4]], rtol=1e-4)


def test_formants_move_up_by_a_ratio():
    spectrum = np.zeros((1, 40), np.float32)
    spectrum[0, 10] = 1
    assert _move_formants(spectrum, 1.2).argmax() == 12
