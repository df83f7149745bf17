"""The two inputs of the networks, in numpy: the reference that the renderer (PyTorch) and the engine (TypeScript)
match.

Both scale mono audio at 22.05 kHz to unit RMS over the whole file, centre frames on multiples of the hop (reflected at
both ends), apply a periodic Hann window, and divide magnitudes by the square root of the FFT size. A hop of 20 ms
places beats well within the 70 ms that scoring tolerates. Bins of a window of 372 ms are 2.7 Hz apart, a quarter tone
near 90 Hz. The gains before the logarithm were set by hand.
"""

from __future__ import annotations

import numpy as np

SAMPLE_RATE_HZ = 22050
RMS_FLOOR = 1e-6

MEL_FFT_SAMPLES, MEL_HOP_SAMPLES, MEL_BANDS = 1024, 441, 81
MEL_LOWEST_HZ, MEL_HIGHEST_HZ, MEL_GAIN = 30.0, 10000.0, 10.0
MEL_FRAMES_PER_S = SAMPLE_RATE_HZ / MEL_HOP_SAMPLES

PITCH_FFT_SAMPLES, PITCH_HOP_SAMPLES, PITCH_BINS = 8192, 2205, 144
PITCH_BINS_PER_OCTAVE, PITCH_LOWEST_HZ, PITCH_GAIN = 24, 65.406, 3.0
PITCH_FRAMES_PER_S = SAMPLE_RATE_HZ / PITCH_HOP_SAMPLES

_MEL_BREAK_HZ, _MEL_BREAK, _MEL_LINEAR_HZ, _MEL_LOG_STEP = 1000.0, 15, 200 / 3, np.log(6.4) / 27
# Bounds memory on long files.
BLOCK_FRAMES = 2000


def hann(size_samples: int) -> np.ndarray:
    return (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(size_samples) / size_samples)).astype(np.float32)


def hz_to_mel(frequency_hz: np.ndarray) -> np.ndarray:
    """Slaney's scale (Auditory Toolbox): linear below 1 kHz, logarithmic above."""
    frequency_hz = np.asarray(frequency_hz, float)
    log_part = _MEL_BREAK + np.log(np.maximum(frequency_hz, 1e-9) / _MEL_BREAK_HZ) / _MEL_LOG_STEP
    return np.where(frequency_hz < _MEL_BREAK_HZ, frequency_hz / _MEL_LINEAR_HZ, log_part)


def mel_to_hz(mel: np.ndarray) -> np.ndarray:
    log_part_hz = _MEL_BREAK_HZ * np.exp(_MEL_LOG_STEP * (mel - _MEL_BREAK))
    return np.where(mel < _MEL_BREAK, mel * _MEL_LINEAR_HZ, log_part_hz)


def mel_filters() -> np.ndarray:
    """(bands, bins) triangles that sum to one. Each reaches at least one FFT bin to either side of its centre."""
    edges_hz = mel_to_hz(np.linspace(hz_to_mel(MEL_LOWEST_HZ), hz_to_mel(MEL_HIGHEST_HZ), MEL_BANDS + 2))
    bins_hz = np.arange(MEL_FFT_SAMPLES // 2 + 1) * SAMPLE_RATE_HZ / MEL_FFT_SAMPLES
    bin_width_hz = SAMPLE_RATE_HZ / MEL_FFT_SAMPLES
    filters = np.zeros((MEL_BANDS, len(bins_hz)))
    for band in range(MEL_BANDS):
        low_hz, centre_hz, high_hz = edges_hz[band : band + 3]
        low_hz, high_hz = min(low_hz, centre_hz - bin_width_hz), max(high_hz, centre_hz + bin_width_hz)
        rising, falling = (bins_hz - low_hz) / (centre_hz - low_hz), (high_hz - bins_hz) / (high_hz - centre_hz)
        filters[band] = np.maximum(0, np.minimum(rising, falling))
        filters[band] /= filters[band].sum() + 1e-9
    return filters.astype(np.float32)


def pitch_filters() -> np.ndarray:
    """(bins, FFT bins) triangles that sum to one, a quarter tone apart from C2 up, none narrower than an FFT bin."""
    bins_hz = np.arange(PITCH_FFT_SAMPLES // 2 + 1) * SAMPLE_RATE_HZ / PITCH_FFT_SAMPLES
    centres_hz = PITCH_LOWEST_HZ * 2 ** (np.arange(PITCH_BINS) / PITCH_BINS_PER_OCTAVE)
    filters = np.zeros((PITCH_BINS, len(bins_hz)), np.float32)
    for index, centre_hz in enumerate(centres_hz):
        width_hz = max(centre_hz * (2 ** (1 / PITCH_BINS_PER_OCTAVE) - 1), SAMPLE_RATE_HZ / PITCH_FFT_SAMPLES)
        filters[index] = np.maximum(0, 1 - np.abs(bins_hz - centre_hz) / width_hz)
        filters[index] /= filters[index].sum() + 1e-9
    return filters


def _log_spectrogram(
    audio: np.ndarray, fft_samples: int, hop_samples: int, filters: np.ndarray, gain: float
) -> np.ndarray:
    audio = np.asarray(audio, np.float32)
    audio = audio / (np.sqrt((audio.astype(np.float64) ** 2).mean()) + RMS_FLOOR)
    padded = np.pad(audio, fft_samples // 2, mode="reflect").astype(np.float32)
    frame_count = 1 + (len(padded) - fft_samples) // hop_samples
    window = hann(fft_samples)
    out = np.empty((frame_count, len(filters)), np.float32)
    for first in range(0, frame_count, BLOCK_FRAMES):
        last = min(frame_count, first + BLOCK_FRAMES)
        frames = padded[np.arange(fft_samples)[None] + hop_samples * np.arange(first, last)[:, None]]
        magnitude = np.abs(np.fft.rfft(frames * window, axis=1)).astype(np.float32) / np.sqrt(np.float32(fft_samples))
        out[first:last] = np.log1p(gain * magnitude @ filters.T)
    return out


def mel_spectrogram(audio: np.ndarray) -> np.ndarray:
    """(frames, 81) at 50 frames a second, the input of the beat network."""
    return _log_spectrogram(audio, MEL_FFT_SAMPLES, MEL_HOP_SAMPLES, mel_filters(), MEL_GAIN)


def pitch_spectrogram(audio: np.ndarray) -> np.ndarray:
    """(frames, 144) at 10 frames a second, the input of the chord and key network."""
    return _log_spectrogram(audio, PITCH_FFT_SAMPLES, PITCH_HOP_SAMPLES, pitch_filters(), PITCH_GAIN)
