"""Singing made of speech: takes words that people recorded, and sings them.

A vocoder (Morise, Yokomori and Ozawa, "WORLD: A Vocoder-Based High-Quality Speech Synthesis System for Real-Time Applications", IEICE Transactions
E99-D(7), 2016) parts a voice into pitch, spectral envelope and aperiodicity. The pitch is replaced by notes of a scale, with glides and vibrato;
vowels are held as long as the notes last; the envelope moves a little, so that one speaker becomes several singers. Sources of the words: README.md.
"""

from __future__ import annotations

import numpy as np

from .features import SAMPLE_RATE_HZ

FRAME_S = 0.005
# Chosen by hand; nothing was fitted.
LEVEL_HOP_SAMPLES = SAMPLE_RATE_HZ // 100
LEVEL_HOP_S = LEVEL_HOP_SAMPLES / SAMPLE_RATE_HZ
LOUD_SHARE = 0.03
"""Of the level of the loudest twentieth: quieter is silence."""
WORD_GAP_S = 0.08
WORD_S_MIN, WORD_S_MAX = 0.15, 4.0
VOICED_S_MIN = 0.08
SYLLABLE_S = 0.22
NOTE_S, NOTE_SPREAD = 0.32, 0.55
"""Median of a held syllable, and the spread of its logarithm."""
SCALES = ((0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 10), (0, 3, 5, 7, 10), (0, 2, 4, 7, 9))


def split_words(audio: np.ndarray) -> list[np.ndarray]:
    """Stretches between silences."""
    hop = LEVEL_HOP_SAMPLES
    level = np.sqrt(np.square(audio[: len(audio) // hop * hop]).reshape(-1, hop).mean(1))
    loud = level > LOUD_SHARE * np.percentile(level, 95)
    words: list[list[int]] = []
    for frame in np.flatnonzero(loud):
        if words and (frame - words[-1][1]) * LEVEL_HOP_S < WORD_GAP_S:
            words[-1][1] = frame + 1
        else:
            words.append([frame, frame + 1])
    return [audio[a * hop : b * hop] for a, b in words if WORD_S_MIN < (b - a) * LEVEL_HOP_S < WORD_S_MAX]


def analyse_word(word: np.ndarray):
    import pyworld

    x = word.astype(np.float64)
    pitch, times = pyworld.dio(x, SAMPLE_RATE_HZ, f0_floor=70, f0_ceil=600, frame_period=FRAME_S * 1000)
    pitch = pyworld.stonemask(x, pitch, times, SAMPLE_RATE_HZ)
    if (pitch > 0).sum() * FRAME_S < VOICED_S_MIN:
        return None
    envelope = pyworld.cheaptrick(x, pitch, times, SAMPLE_RATE_HZ)
    aperiodicity = pyworld.d4c(x, pitch, times, SAMPLE_RATE_HZ)
    return pitch, envelope.astype(np.float32), aperiodicity.astype(np.float32)


def _stretch(voiced: np.ndarray, level: np.ndarray, rng) -> np.ndarray:
    """For every frame of the sung word, which frame of the spoken one it shows: syllables get notes, vowels are held."""
    index: list[np.ndarray] = []
    edges = np.flatnonzero(np.diff(np.concatenate([[0], voiced.astype(int), [0]])))
    before = 0
    for start, end in edges.reshape(-1, 2):
        index.append(np.arange(before, start, dtype=float))
        count = max(1, round((end - start) * FRAME_S / SYLLABLE_S))
        for part in np.array_split(np.arange(start, end), count):
            note = max(len(part), rng.lognormal(np.log(NOTE_S), NOTE_SPREAD) / FRAME_S)
            # The loudest frames of a syllable are its vowel: they take the added time.
            weight = (level[part] / level[part].max()) ** 2 + 0.05
            steps = 1 + (note - len(part)) * weight / weight.sum()
            position = np.concatenate([[0], np.cumsum(steps)])
            index.append(np.interp(np.arange(int(note)), position[:-1], part))
        before = end
    index.append(np.arange(before, len(voiced), dtype=float))
    return np.concatenate(index)


def _melody(rng, centre_hz: float, frame_count: int) -> np.ndarray:
    scale = SCALES[rng.integers(len(SCALES))]
    degrees = np.array([12 * octave + step for octave in (-1, 0, 1) for step in scale])
    at = len(scale) + rng.integers(-2, 4)
    notes = np.empty(frame_count)
    first = 0
    while first < frame_count:
        length = int(rng.lognormal(np.log(0.35), 0.6) / FRAME_S) + 10
        notes[first : first + length] = degrees[at]
        first += length
        at = int(np.clip(at + rng.choice([-3, -2, -1, -1, 0, 1, 1, 2, 3]), 1, len(degrees) - 2))
    glide = max(2, int(rng.uniform(0.02, 0.12) / FRAME_S))
    notes = np.convolve(np.pad(notes, (glide, glide), mode="edge"), np.ones(glide) / glide, "same")[glide:-glide]
    times = np.arange(frame_count) * FRAME_S
    depth = rng.choice([0.0, 0.15, 0.4, 0.8]) * np.clip(np.sin(2 * np.pi * rng.uniform(0.2, 0.6) * times + rng.uniform(0, 6)), 0, 1)
    notes = notes + depth * np.sin(2 * np.pi * rng.uniform(4.8, 6.8) * times)
    drift = np.convolve(rng.normal(0, 0.25, frame_count + 59), np.hanning(60) / 30, "valid")
    return centre_hz * 2 ** ((notes + drift) / 12)


def sing(words: list, rng, seconds: float) -> np.ndarray:
    """A phrase or more of one singer; pauses lie between phrases."""
    import pyworld

    speaker_hz = np.median(np.concatenate([pitch[pitch > 0] for pitch, *_ in words]))
    centre_hz = speaker_hz * 2 ** (rng.uniform(-2, 8) / 12)
    envelope_shift = rng.uniform(0.88, 1.18)
    keeps_spoken_pitch = rng.random() < 0.15
    pieces, total = [], 0.0
    while total < seconds:
        pitch, envelope, aperiodicity = words[rng.integers(len(words))]
        voiced = pitch > 0
        index = _stretch(voiced, np.sqrt(envelope.sum(1)) + 1e-9, rng)
        low = np.clip(index.astype(int), 0, len(pitch) - 1)
        high = np.minimum(low + 1, len(pitch) - 1)
        part = (index - low)[:, None].astype(np.float32)
        spectrum = np.exp((1 - part) * np.log(envelope[low] + 1e-12) + part * np.log(envelope[high] + 1e-12))
        bins = np.arange(spectrum.shape[1]) / envelope_shift
        left = np.clip(bins.astype(int), 0, spectrum.shape[1] - 2)
        fraction = np.clip(bins - left, 0, 1).astype(np.float32)
        spectrum = spectrum[:, left] * (1 - fraction) + spectrum[:, left + 1] * fraction
        melody = _melody(rng, centre_hz, len(index)) if not keeps_spoken_pitch else np.interp(index, np.arange(len(pitch)), np.where(voiced, pitch, speaker_hz))
        audio = pyworld.synthesize(
            np.where(voiced[low], melody, 0.0),
            np.ascontiguousarray(spectrum, np.float64),
            np.ascontiguousarray(aperiodicity[low], np.float64) ** rng.uniform(0.8, 1.3),
            SAMPLE_RATE_HZ,
            FRAME_S * 1000,
        )
        audio = audio / (np.sqrt(np.mean(audio**2)) + 1e-9) * 10 ** (rng.normal(0, 2.5) / 20)
        gap = rng.uniform(0, 0.06) if rng.random() < 0.75 else rng.uniform(0.4, 3.5)
        pieces += [audio.astype(np.float32), np.zeros(int(gap * SAMPLE_RATE_HZ), np.float32)]
        total += len(audio) / SAMPLE_RATE_HZ + gap
    return np.concatenate(pieces)[: int(seconds * SAMPLE_RATE_HZ)]


def speak(spoken: list[np.ndarray], rng, seconds: float) -> np.ndarray:
    """The words as they were spoken, quickly one after the other, as a rapper has them, or with pauses."""
    hurried = rng.random() < 0.6
    pieces, total = [], 0.0
    while total < seconds:
        word = spoken[rng.integers(len(spoken))]
        gap = rng.uniform(0, 0.12) if rng.random() < (0.9 if hurried else 0.6) else rng.uniform(0.4, 3)
        level = np.sqrt(np.mean(word**2)) + 1e-9
        pieces += [word / level * 10 ** (rng.normal(0, 2) / 20), np.zeros(int(gap * SAMPLE_RATE_HZ), np.float32)]
        total += len(word) / SAMPLE_RATE_HZ + gap
    return np.concatenate(pieces)[: int(seconds * SAMPLE_RATE_HZ)].astype(np.float32)
