"""Synthesised one-shots: tones, sung and spoken syllables, drums.

The seed determines every parameter, so that a few hundred seeds make as many timbres. The synthesise_* functions return
a mono waveform with unit peak at 22.05 kHz. `r` is the random source, `t` are times in seconds and `f` frequencies in
Hz. Ranges are set by ear unless they name a source.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..features import SAMPLE_RATE_HZ

# Of the highest added partial and of a closed filter's cutoff. Partials above half the sampling rate, 11,025 Hz, alias.
NYQUIST_GUARD_HZ = 9000
TONE_S, SUNG_S = 1.8, 1.5

# The first three formants (Hz) of eight vowels of men (Peterson and Barney, 1952, table II), and a fourth by ear.
VOWEL_FORMANTS_HZ = np.array(
    [
        [730, 1090, 2440, 3400],
        [270, 2290, 3010, 3600],
        [530, 1840, 2480, 3500],
        [570, 840, 2410, 3300],
        [300, 870, 2240, 3200],
        [440, 1020, 2240, 3300],
        [660, 1720, 2410, 3400],
        [490, 1350, 1690, 3300],
    ],
    float,
)


def midi_to_hz(pitch_midi: float) -> float:
    return 440.0 * 2 ** ((pitch_midi - 69) / 12)


def times_s(duration_s: float) -> np.ndarray:
    return np.arange(int(duration_s * SAMPLE_RATE_HZ)) / SAMPLE_RATE_HZ


def shape_spectrum(waveform: np.ndarray, gain: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    # Padded, or the ringing of the filter would wrap around to the beginning.
    size_samples = 1 << int(np.ceil(np.log2(len(waveform) + 2048)))
    spectrum = np.fft.rfft(waveform, size_samples) * gain(np.fft.rfftfreq(size_samples, 1 / SAMPLE_RATE_HZ))
    return np.fft.irfft(spectrum, size_samples)[: len(waveform)]


def low_pass(cutoff_hz: float, order: float = 2) -> Callable[[np.ndarray], np.ndarray]:
    return lambda f: 1 / np.sqrt(1 + (f / cutoff_hz) ** (2 * order))


def high_pass(cutoff_hz: float, order: float = 2) -> Callable[[np.ndarray], np.ndarray]:
    return lambda f: 1 / np.sqrt(1 + (cutoff_hz / np.maximum(f, 1)) ** (2 * order))


def band_pass(centre_hz: float, relative_width: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda f: 1 / (1 + ((f - centre_hz) / (centre_hz * relative_width)) ** 2)


def to_unit_peak(waveform: np.ndarray) -> np.ndarray:
    return (waveform / (np.abs(waveform).max() + 1e-9)).astype(np.float32)


# --- tones -----------------------------------------------------------------------------------------------------------


def _struck_tone(r: np.random.RandomState, f0_hz: float, t: np.ndarray) -> np.ndarray:
    """Partials with separate decays, slightly sharp as on stiff strings and bars."""
    stiffness = 10 ** r.uniform(-5, -3)
    roll_off, decay_per_s, more_per_partial = r.uniform(0.6, 2.2), r.uniform(0.5, 4), r.uniform(0, 0.8)
    out = np.zeros_like(t)
    for k in range(1, 25):
        partial_hz = f0_hz * k * np.sqrt(1 + stiffness * k * k)
        if partial_hz > NYQUIST_GUARD_HZ:
            break
        amplitude = k**-roll_off * r.uniform(0.3, 1) * np.exp(-t * (decay_per_s + more_per_partial * k))
        out += amplitude * np.sin(2 * np.pi * partial_hz * t + r.uniform(0, 6))
    return out


def _frequency_modulated_tone(r: np.random.RandomState, f0_hz: float, t: np.ndarray) -> np.ndarray:
    ratio = r.choice([0.5, 1, 2, 3, 4, 1.41, 7, 3.5])
    index = r.uniform(0.5, 6) * np.exp(-r.uniform(0.3, 8) * t)
    return np.sin(2 * np.pi * f0_hz * t + index * np.sin(2 * np.pi * f0_hz * ratio * t))


def _analogue_tone(r: np.random.RandomState, f0_hz: float, t: np.ndarray) -> np.ndarray:
    """Detuned saws or pulses through a closing low-pass filter."""
    square, width, detune = r.uniform() < 0.5, r.uniform(0.1, 0.5), r.uniform(0, 0.012)
    out = np.zeros_like(t)
    for _ in range(r.randint(1, 5)):
        phase = (f0_hz * (1 + r.uniform(-detune, detune)) * t + r.uniform()) % 1
        out += np.where(phase < width, 1.0, -1.0) if square else 2 * phase - 1
    cutoff_hz = f0_hz * 2 ** r.uniform(0, 4)
    closed = shape_spectrum(out, low_pass(min(NYQUIST_GUARD_HZ, cutoff_hz)))
    opened = shape_spectrum(out, low_pass(min(10000, cutoff_hz * 2 ** r.uniform(1, 4))))
    openness = np.exp(-t * r.uniform(1, 12))
    return closed * (1 - openness) + opened * openness


def _organ_tone(r: np.random.RandomState, f0_hz: float, t: np.ndarray) -> np.ndarray:
    out = 0.02 * r.uniform() * r.randn(len(t))
    for k in (1, 2, 3, 4, 6, 8):
        if f0_hz * k < NYQUIST_GUARD_HZ:
            out = out + r.uniform() ** 2 * np.sin(2 * np.pi * f0_hz * k * t)
    return out


def _plucked_tone(r: np.random.RandomState, f0_hz: float, t: np.ndarray) -> np.ndarray:
    """Karplus and Strong (1983): a noise burst circulating through a delay line with an averaging filter."""
    period = max(2, int(SAMPLE_RATE_HZ / f0_hz))
    line = r.uniform(-1, 1, period)
    damping, blend = r.uniform(0.985, 0.999), r.uniform(0.3, 0.7)
    rounds = []
    for _ in range(len(t) // period + 1):
        rounds.append(line)
        line = damping * (blend * line + (1 - blend) * np.roll(line, 1))
    return np.concatenate(rounds)[: len(t)]


TONE_KINDS = (
    _struck_tone,
    _frequency_modulated_tone,
    _analogue_tone,
    _analogue_tone,
    _organ_tone,
    _plucked_tone,
)


def synthesise_tone(seed: int, pitch_midi: float) -> np.ndarray:
    r = np.random.RandomState(seed)
    kind = TONE_KINDS[r.randint(len(TONE_KINDS))]
    tone = kind(r, midi_to_hz(pitch_midi), times_s(TONE_S))
    if r.uniform() < 0.3:
        tone = np.tanh(to_unit_peak(tone) * r.uniform(1, 15))
    return to_unit_peak(tone)


# --- voices ----------------------------------------------------------------------------------------------------------


def _formant_gain(r: np.random.RandomState, formants_hz: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    widths_hz = np.array([80, 110, 160, 250]) * r.uniform(0.7, 1.5)

    def gain(f: np.ndarray) -> np.ndarray:
        out = np.full_like(f, 0.01)
        for centre_hz, width_hz, amplitude in zip(formants_hz, widths_hz, (1, 0.6, 0.35, 0.2)):
            out = out + amplitude / (1 + ((f - centre_hz) / width_hz) ** 2)
        return out

    return gain


def synthesise_syllable(seed: int, pitch_midi: float, spoken: bool) -> np.ndarray:
    """A glottal saw through two vowels, mostly with a consonant before it. Sung ones have a scoop and vibrato."""
    r = np.random.RandomState(seed)
    duration_s = r.uniform(0.12, 0.4) if spoken else SUNG_S
    t = times_s(duration_s)
    if spoken:
        bend_semitones = r.uniform(-4, 3) * t / duration_s + r.randn() * 0.5
    else:
        scoop_semitones = r.uniform(-2.5, 0.7) * np.exp(-t * r.uniform(6, 25)) * (r.uniform() < 0.7)
        # The vibrato sets in after a quarter of a second.
        depth_semitones = r.uniform(0, 0.5) * np.clip((t - 0.25) * 4, 0, 1)
        bend_semitones = scoop_semitones + depth_semitones * np.sin(2 * np.pi * r.uniform(4.5, 7) * t)
    phase = np.cumsum(midi_to_hz(pitch_midi) * 2 ** (bend_semitones / 12)) / SAMPLE_RATE_HZ
    source = shape_spectrum(2 * (phase % 1) - 1, low_pass(r.uniform(400, 2500), 0.7))
    source = source + r.uniform(0, 0.15) * r.randn(len(t))
    tract_scale = r.uniform(0.9, 1.25)
    first, second = (
        shape_spectrum(source, _formant_gain(r, VOWEL_FORMANTS_HZ[r.randint(8)] * tract_scale)) for _ in range(2)
    )
    morph = np.clip((t - r.uniform(0, 0.15)) / r.uniform(0.05, 0.3), 0, 1)
    out = to_unit_peak(first * (1 - morph) + second * morph) * np.clip(t / r.uniform(0.005, 0.06), 0, 1)
    if r.uniform() < 0.65:
        out = _with_consonant(r, out, t)
    if spoken:
        out = out * np.minimum(1, (duration_s - t) / 0.05)
    return to_unit_peak(out)


def _with_consonant(r: np.random.RandomState, vowel: np.ndarray, t: np.ndarray) -> np.ndarray:
    length_s = r.uniform(0.015, 0.11)
    noise = r.randn(len(t)) * np.exp(-(((t - length_s / 2) / (length_s / 2.5)) ** 2))
    noise = to_unit_peak(shape_spectrum(noise, band_pass(r.uniform(1500, 7000), 0.4))) * r.uniform(0.05, 0.7)
    delay_samples = int(length_s * SAMPLE_RATE_HZ * 0.7)
    return np.concatenate([np.zeros(delay_samples), vowel])[: len(vowel)] + noise


# --- drums -----------------------------------------------------------------------------------------------------------


def _swept_sine(frequency_hz: np.ndarray) -> np.ndarray:
    return np.sin(2 * np.pi * np.cumsum(frequency_hz) / SAMPLE_RATE_HZ)


def _kick(r: np.random.RandomState) -> np.ndarray:
    t = times_s(r.uniform(0.12, 0.6))
    body = _swept_sine(r.uniform(38, 70) + r.uniform(50, 300) * np.exp(-t * r.uniform(20, 90)))
    click = r.uniform(0, 0.5) * r.randn(len(t)) * np.exp(-t * r.uniform(80, 400))
    return np.tanh((body * np.exp(-t * r.uniform(5, 25)) + click) * r.uniform(1, 4))


def _snare(r: np.random.RandomState) -> np.ndarray:
    t = times_s(r.uniform(0.12, 0.45))
    shell = _swept_sine(r.uniform(140, 260) * (1 + r.uniform(0, 0.6) * np.exp(-t * 40)))
    wires = r.randn(len(t)) * np.exp(-t * r.uniform(8, 40))
    low, high = high_pass(r.uniform(300, 2500)), low_pass(r.uniform(4000, 10000))
    wires = shape_spectrum(wires, lambda f: low(f) * high(f))
    return r.uniform(0.2, 1) * shell * np.exp(-t * r.uniform(12, 45)) + r.uniform(0.45, 1.8) * wires


def _rim(r: np.random.RandomState) -> np.ndarray:
    t = times_s(0.08)
    tick = np.sin(2 * np.pi * r.uniform(500, 2200) * t) * np.exp(-t * r.uniform(60, 160))
    return tick + 0.4 * r.randn(len(t)) * np.exp(-t * r.uniform(150, 400))


def _clap(r: np.random.RandomState) -> np.ndarray:
    t = times_s(r.uniform(0.12, 0.4))
    envelope = np.exp(-t * r.uniform(12, 45))
    for hand in range(r.randint(1, 4)):
        late_s = hand * 0.011
        envelope = envelope + np.where(t > late_s, np.exp(-(t - late_s) * 200), 0)
    return shape_spectrum(r.randn(len(t)) * envelope, band_pass(r.uniform(900, 2200), r.uniform(0.3, 0.9)))


def _metal_noise(r: np.random.RandomState, t: np.ndarray) -> np.ndarray:
    if r.uniform() < 0.5:
        return r.randn(len(t))
    squares = sum(np.sign(np.sin(2 * np.pi * r.uniform(2500, 9000) * t + r.uniform(0, 6))) for _ in range(6))
    return squares + r.uniform(0, 3) * r.randn(len(t))


def _closed_hat(r: np.random.RandomState, shortest_s: float = 0.03, longest_s: float = 0.12) -> np.ndarray:
    duration_s = r.uniform(shortest_s, longest_s)
    t = times_s(duration_s)
    return shape_spectrum(_metal_noise(r, t), high_pass(r.uniform(2500, 7000), 3)) * np.exp(-t * 3.5 / duration_s)


def _open_hat(r: np.random.RandomState) -> np.ndarray:
    return _closed_hat(r, 0.2, 0.6)


def _shaker(r: np.random.RandomState) -> np.ndarray:
    duration_s = r.uniform(0.05, 0.14)
    t = times_s(duration_s)
    swell = np.exp(-(((t - duration_s * 0.4) / (duration_s * 0.25)) ** 2))
    return shape_spectrum(_metal_noise(r, t), high_pass(r.uniform(2500, 7000), 3)) * swell


def _cymbal_wash(r: np.random.RandomState) -> tuple[np.ndarray, np.ndarray]:
    t = times_s(r.uniform(0.8, 1.8))
    wash = r.randn(len(t)) * r.uniform(0.3, 1)
    for _ in range(12):
        wash = wash + r.uniform(0.05, 0.5) * np.sin(2 * np.pi * r.uniform(1500, 9500) * t + r.uniform(0, 6))
    return t, shape_spectrum(wash, high_pass(r.uniform(1500, 4000)))


def _crash(r: np.random.RandomState) -> np.ndarray:
    t, wash = _cymbal_wash(r)
    return wash * np.exp(-t * r.uniform(2, 5))


def _ride(r: np.random.RandomState) -> np.ndarray:
    t, wash = _cymbal_wash(r)
    return wash * (0.5 * np.exp(-t * r.uniform(2, 5)) + np.exp(-t * r.uniform(30, 80)))


def _tom(r: np.random.RandomState) -> np.ndarray:
    t = times_s(r.uniform(0.2, 0.6))
    body = _swept_sine(r.uniform(60, 260) * (1 + r.uniform(0.1, 0.7) * np.exp(-t * 25)))
    return body * np.exp(-t * r.uniform(7, 20)) + 0.2 * r.randn(len(t)) * np.exp(-t * 100)


def _hand_percussion(r: np.random.RandomState) -> np.ndarray:
    """Congas, blocks, bells, tambourines, tabla strokes: two partials, sometimes falling, and skin noise."""
    t = times_s(r.uniform(0.05, 0.35))
    pitch_hz = r.uniform(120, 2500) * (1 + r.choice([0, 0, 0.5]) * np.exp(-t * r.uniform(5, 30)))
    body = _swept_sine(pitch_hz) + r.uniform(0, 1) * _swept_sine(pitch_hz * r.uniform(1.3, 2.8))
    skin = r.uniform(0, 0.6) * r.randn(len(t)) * np.exp(-t * r.uniform(30, 150))
    return body * np.exp(-t * r.uniform(12, 60)) + skin


DRUM_KINDS: dict[str, Callable[[np.random.RandomState], np.ndarray]] = {
    "kick": _kick,
    "snare": _snare,
    "rim": _rim,
    "clap": _clap,
    "hat": _closed_hat,
    "open_hat": _open_hat,
    "shaker": _shaker,
    "crash": _crash,
    "ride": _ride,
    "tom": _tom,
    "percussion": _hand_percussion,
}


def synthesise_drum(seed: int, kind: str) -> np.ndarray:
    return to_unit_peak(DRUM_KINDS[kind](np.random.RandomState(seed)))
