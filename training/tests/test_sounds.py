import numpy as np
import pytest

from earshot_training.sounds.bank import FADE_SAMPLES, UNROLLED_LOOP_S, _unroll, load_sound_bank
from earshot_training.sounds.companding import compress, expand
from earshot_training.sounds.synthesis import (
    DRUM_KINDS,
    SAMPLE_RATE_HZ,
    midi_to_hz,
    synthesise_drum,
    synthesise_syllable,
    synthesise_tone,
)


def test_mu_law_keeps_loud_and_soft_to_within_a_step():
    waveform = np.linspace(-1, 1, 1001)
    # One of 127 logarithmic steps is about 4.5 % of the value, plus the smallest step near zero.
    assert np.all(np.abs(expand(compress(waveform)) - waveform) <= 0.025 * np.abs(waveform) + 2e-4)


def test_a_loop_repeats_from_its_start_to_a_fixed_length_and_fades_out():
    # A ramp is its own index, so the position that is read shows in the value.
    unrolled = _unroll(np.arange(100.0), 20.5, 60.5)
    assert len(unrolled) == int(UNROLLED_LOOP_S * SAMPLE_RATE_HZ)
    assert unrolled[[0, 60, 61, 100, 101, 141]] == pytest.approx([0, 60, 21, 60, 21, 21])
    assert unrolled[-FADE_SAMPLES] > 20 and unrolled[-1] == 0


@pytest.mark.parametrize("kind", DRUM_KINDS)
def test_drums_are_finite_and_at_unit_peak(kind):
    for seed in range(5):
        hit = synthesise_drum(seed, kind)
        assert np.isfinite(hit).all()
        assert np.abs(hit).max() == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize(
    "make",
    [
        lambda seed: synthesise_tone(seed, 60),
        lambda seed: synthesise_syllable(seed, 55, spoken=False),
        lambda seed: synthesise_syllable(seed, 55, spoken=True),
        lambda seed: synthesise_drum(seed, "snare"),
    ],
    ids=["tone", "sung", "spoken", "drum"],
)
def test_the_same_seed_makes_the_same_sound_and_another_does_not(make):
    assert np.array_equal(make(4), make(4))
    assert not np.array_equal(make(4), make(5))


@pytest.mark.parametrize("pitch_midi", [28, 74])
def test_tones_and_syllables_are_finite_and_at_unit_peak(pitch_midi):
    for seed in range(12):
        for sound in (
            synthesise_tone(seed, pitch_midi),
            *(synthesise_syllable(seed, pitch_midi, spoken) for spoken in (False, True)),
        ):
            assert np.isfinite(sound).all()
            assert np.abs(sound).max() == pytest.approx(1.0, abs=1e-5)


def test_bank_samples_sound_at_the_pitch_they_claim():
    """The first piano sample near A3: its strongest partial is a harmonic of the pitch in the table."""
    bank = load_sound_bank(scale=0.02)
    sample, pitch = min(bank.programs[0][0], key=lambda entry: abs(entry[1] - 57))
    waveform = bank.waveforms[sample][: SAMPLE_RATE_HZ // 2]
    spectrum = np.abs(np.fft.rfft(waveform * np.hanning(len(waveform)), 1 << 16))
    strongest_hz = spectrum.argmax() * SAMPLE_RATE_HZ / (1 << 16)
    ratio = strongest_hz / midi_to_hz(pitch)
    # A piano is tuned to a few cents and its partials are a little sharp: 1 % is a sixth of a semitone.
    assert ratio == pytest.approx(round(ratio), rel=0.01)
