"""Turns recorded words into singing.

A vocoder (Morise, Yokomori and Ozawa, "WORLD: A Vocoder-Based High-Quality Speech Synthesis System for Real-Time
Applications", IEICE Transactions E99-D(7), 2016) separates a voice into pitch, spectral envelope and aperiodicity. The
pitch is replaced by notes of a scale, with glides and vibrato; vowels are held for the length of the notes; the
formants are shifted a little, so that one speaker becomes several singers. Ranges and shares were set by hand.
README.md lists the sources of the words.
"""

from __future__ import annotations

import numpy as np

from .features import SAMPLE_RATE_HZ

FRAME_S = 0.005
LEVEL_HOP_SAMPLES = SAMPLE_RATE_HZ // 100
LEVEL_HOP_S = LEVEL_HOP_SAMPLES / SAMPLE_RATE_HZ
LOUD_SHARE = 0.03
"""Frames below this share of the level of the loudest twentieth are silence."""
WORD_GAP_S = 0.08
WORD_S_MIN, WORD_S_MAX = 0.15, 4.0
VOICED_S_MIN = 0.08
SYLLABLE_S = 0.22
NOTE_S, NOTE_SPREAD = 0.32, 0.55
"""Median of a held syllable, and the spread of its logarithm."""
Word = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Of every frame: pitch in Hz, which is 0 where WORLD finds none, spectral envelope and aperiodicity."""
SCALES = ((0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 10), (0, 3, 5, 7, 10), (0, 2, 4, 7, 9))


def split_words(audio: np.ndarray) -> list[np.ndarray]:
    """Stretches between silences, without those too short or too long to be a word."""
    whole = audio[: len(audio) // LEVEL_HOP_SAMPLES * LEVEL_HOP_SAMPLES]
    level = np.sqrt(np.square(whole).reshape(-1, LEVEL_HOP_SAMPLES).mean(1))
    loud = level > LOUD_SHARE * np.percentile(level, 95)
    words: list[list[int]] = []
    for frame in np.flatnonzero(loud):
        if words and (frame - words[-1][1]) * LEVEL_HOP_S < WORD_GAP_S:
            words[-1][1] = frame + 1
        else:
            words.append([frame, frame + 1])
    return [
        audio[first * LEVEL_HOP_SAMPLES : end * LEVEL_HOP_SAMPLES]
        for first, end in words
        if WORD_S_MIN < (end - first) * LEVEL_HOP_S < WORD_S_MAX
    ]


def analyse_word(word: np.ndarray) -> Word | None:
    """None if too little of the word is voiced to be sung."""
    import pyworld

    x = word.astype(np.float64)
    pitch_hz, times_s = pyworld.dio(x, SAMPLE_RATE_HZ, f0_floor=70, f0_ceil=600, frame_period=FRAME_S * 1000)
    pitch_hz = pyworld.stonemask(x, pitch_hz, times_s, SAMPLE_RATE_HZ)
    if (pitch_hz > 0).sum() * FRAME_S < VOICED_S_MIN:
        return None
    envelope = pyworld.cheaptrick(x, pitch_hz, times_s, SAMPLE_RATE_HZ)
    aperiodicity = pyworld.d4c(x, pitch_hz, times_s, SAMPLE_RATE_HZ)
    return pitch_hz, envelope.astype(np.float32), aperiodicity.astype(np.float32)


def _stretch(voiced: np.ndarray, level: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The spoken frame for each frame of the sung word: each syllable lasts a note and is held on its vowel."""
    index: list[np.ndarray] = []
    edges = np.flatnonzero(np.diff(np.concatenate([[0], voiced.astype(int), [0]])))
    previous_end = 0
    for start, end in edges.reshape(-1, 2):
        index.append(np.arange(previous_end, start, dtype=float))
        count = max(1, round((end - start) * FRAME_S / SYLLABLE_S))
        for part in np.array_split(np.arange(start, end), count):
            note_frames = max(len(part), rng.lognormal(np.log(NOTE_S), NOTE_SPREAD) / FRAME_S)
            # The loudest frames of a syllable are its vowel: they take the added time.
            weight = (level[part] / level[part].max()) ** 2 + 0.05
            steps = 1 + (note_frames - len(part)) * weight / weight.sum()
            position = np.concatenate([[0], np.cumsum(steps)])
            index.append(np.interp(np.arange(int(note_frames)), position[:-1], part))
        previous_end = end
    index.append(np.arange(previous_end, len(voiced), dtype=float))
    return np.concatenate(index)


def _melody(rng: np.random.Generator, centre_hz: float, frame_count: int) -> np.ndarray:
    """Pitch in Hz for every frame: notes with glides between them, some vibrato, and a slow drift out of tune."""
    scale = SCALES[rng.integers(len(SCALES))]
    ladder_semitones = np.array([12 * octave + step for octave in (-1, 0, 1) for step in scale])
    degree = len(scale) + rng.integers(-2, 4)
    semitones = np.empty(frame_count)
    first = 0
    while first < frame_count:
        note_frames = int(rng.lognormal(np.log(0.35), 0.6) / FRAME_S) + 10
        semitones[first : first + note_frames] = ladder_semitones[degree]
        first += note_frames
        degree = int(np.clip(degree + rng.choice([-3, -2, -1, -1, 0, 1, 1, 2, 3]), 1, len(ladder_semitones) - 2))
    glide_frames = max(2, int(rng.uniform(0.02, 0.12) / FRAME_S))
    padded = np.pad(semitones, glide_frames, mode="edge")
    semitones = np.convolve(padded, np.ones(glide_frames) / glide_frames, "same")[glide_frames:-glide_frames]
    times_s = np.arange(frame_count) * FRAME_S
    depth_semitones = rng.choice([0.0, 0.15, 0.4, 0.8])
    swell = np.clip(np.sin(2 * np.pi * rng.uniform(0.2, 0.6) * times_s + rng.uniform(0, 6)), 0, 1)
    semitones = semitones + depth_semitones * swell * np.sin(2 * np.pi * rng.uniform(4.8, 6.8) * times_s)
    drift_semitones = np.convolve(rng.normal(0, 0.25, frame_count + 59), np.hanning(60) / 30, "valid")
    return centre_hz * 2 ** ((semitones + drift_semitones) / 12)


def sing(words: list[Word], rng: np.random.Generator, duration_s: float) -> np.ndarray:
    """Phrases of one singer, with pauses between them."""
    speaker_hz = np.median(np.concatenate([pitch_hz[pitch_hz > 0] for pitch_hz, *_ in words]))
    centre_hz = speaker_hz * 2 ** (rng.uniform(-2, 8) / 12)
    formant_ratio = rng.uniform(0.88, 1.18)
    keeps_spoken_pitch = rng.random() < 0.15
    pieces, sung_s = [], 0.0
    while sung_s < duration_s:
        pitch_hz, envelope, aperiodicity = words[rng.integers(len(words))]
        voiced = pitch_hz > 0
        index = _stretch(voiced, np.sqrt(envelope.sum(1)) + 1e-9, rng)
        if keeps_spoken_pitch:
            melody_hz = np.interp(index, np.arange(len(pitch_hz)), np.where(voiced, pitch_hz, speaker_hz))
        else:
            melody_hz = _melody(rng, centre_hz, len(index))
        shown = np.clip(index.astype(int), 0, len(pitch_hz) - 1)
        spectrum = _move_formants(_read_between(envelope, index), formant_ratio)
        sung = (np.where(voiced[shown], melody_hz, 0.0), spectrum, aperiodicity[shown])
        audio = _synthesise(sung, rng.uniform(0.8, 1.3))
        audio = audio / (np.sqrt(np.mean(audio**2)) + 1e-9) * 10 ** (rng.normal(0, 2.5) / 20)
        gap_s = rng.uniform(0, 0.06) if rng.random() < 0.75 else rng.uniform(0.4, 3.5)
        pieces += [audio.astype(np.float32), np.zeros(int(gap_s * SAMPLE_RATE_HZ), np.float32)]
        sung_s += len(audio) / SAMPLE_RATE_HZ + gap_s
    return np.concatenate(pieces)[: int(duration_s * SAMPLE_RATE_HZ)]


def _read_between(envelope: np.ndarray, index: np.ndarray) -> np.ndarray:
    """Frames of an envelope at fractional indices, interpolated in decibels."""
    low = np.clip(index.astype(int), 0, len(envelope) - 1)
    high = np.minimum(low + 1, len(envelope) - 1)
    part = (index - low)[:, None].astype(np.float32)
    return np.exp((1 - part) * np.log(envelope[low] + 1e-12) + part * np.log(envelope[high] + 1e-12))


def _move_formants(spectrum: np.ndarray, ratio: float) -> np.ndarray:
    """Scales the frequency axis, as a shorter or longer vocal tract does."""
    bins = np.arange(spectrum.shape[1]) / ratio
    left = np.clip(bins.astype(int), 0, spectrum.shape[1] - 2)
    fraction = np.clip(bins - left, 0, 1).astype(np.float32)
    return spectrum[:, left] * (1 - fraction) + spectrum[:, left + 1] * fraction


def _synthesise(word: Word, breath_exponent: float) -> np.ndarray:
    import pyworld

    pitch_hz, envelope, aperiodicity = word
    return pyworld.synthesize(
        pitch_hz,
        np.ascontiguousarray(envelope, np.float64),
        np.ascontiguousarray(aperiodicity, np.float64) ** breath_exponent,
        SAMPLE_RATE_HZ,
        FRAME_S * 1000,
    )


def speak(spoken: list[np.ndarray], rng: np.random.Generator, duration_s: float) -> np.ndarray:
    """The words as spoken, in quick succession as in rap, or with pauses."""
    hurried = rng.random() < 0.6
    pieces, spoken_s = [], 0.0
    while spoken_s < duration_s:
        word = spoken[rng.integers(len(spoken))]
        gap_s = rng.uniform(0, 0.12) if rng.random() < (0.9 if hurried else 0.6) else rng.uniform(0.4, 3)
        level = np.sqrt(np.mean(word**2)) + 1e-9
        pieces += [word / level * 10 ** (rng.normal(0, 2) / 20), np.zeros(int(gap_s * SAMPLE_RATE_HZ), np.float32)]
        spoken_s += len(word) / SAMPLE_RATE_HZ + gap_s
    return np.concatenate(pieces)[: int(duration_s * SAMPLE_RATE_HZ)].astype(np.float32)
