import numpy as np

from earshot_training.features import (
    MEL_BANDS,
    PITCH_BINS,
    SAMPLE_RATE_HZ,
    hz_to_mel,
    mel_filters,
    mel_spectrogram,
    mel_to_hz,
    pitch_filters,
    pitch_spectrogram,
)


def sine(frequency_hz: float, duration_s: float = 2.0) -> np.ndarray:
    return np.sin(2 * np.pi * frequency_hz * np.arange(int(duration_s * SAMPLE_RATE_HZ)) / SAMPLE_RATE_HZ)


def test_filters_each_sum_to_one():
    # Within float32 rounding of a few hundred terms.
    assert np.allclose(mel_filters().sum(1), 1, atol=1e-5)
    assert np.allclose(pitch_filters().sum(1), 1, atol=1e-5)


def test_a_sine_on_a4_peaks_in_the_bin_of_a4():
    # A4 is 33 semitones, 66 quarter tones, above C2.
    frame = pitch_spectrogram(sine(440.0))[10]
    assert frame.argmax() == 66


def test_the_mel_scale_is_slaneys():
    # Linear up to 15 mel at 1 kHz, from there 27 mel to 6.4 kHz.
    hz, mel = np.array([0, 200 / 3, 1000, 6400]), np.array([0, 1, 15, 42])
    assert np.allclose(hz_to_mel(hz), mel)
    assert np.allclose(mel_to_hz(mel), hz)


def test_a_sine_of_1_khz_peaks_in_the_band_nearest_to_15_mel():
    # 81 bands between 0.45 mel (30 Hz) and 48.49 mel (10 kHz): band 24 is at 15.10 mel.
    assert mel_spectrogram(sine(1000.0))[10].argmax() == 24


def test_features_do_not_depend_on_level():
    audio = sine(440.0) + 0.1 * np.random.RandomState(1).randn(2 * SAMPLE_RATE_HZ)
    # The RMS floor of 1e-6 shifts a quiet signal by a few parts in a hundred thousand.
    assert np.allclose(mel_spectrogram(audio), mel_spectrogram(0.05 * audio), atol=1e-3)


def test_frame_counts_follow_the_hops():
    audio = sine(200.0, 3.0)
    assert mel_spectrogram(audio).shape == (151, MEL_BANDS)
    assert pitch_spectrogram(audio).shape == (31, PITCH_BINS)


def test_an_impulse_lands_in_its_frame():
    audio = np.zeros(SAMPLE_RATE_HZ)
    audio[441 * 25] = 1.0
    assert mel_spectrogram(audio).sum(1).argmax() == 25
