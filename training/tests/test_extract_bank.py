"""Needs SciPy; skipped where it is not installed (CI runs the tests that need NumPy alone)."""

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("scipy")

from earshot_training.sounds import bank  # noqa: E402
from earshot_training.sounds.companding import compress  # noqa: E402
from earshot_training.sounds.extract_bank import BankBuilder, _lengthen_loop, _trim  # noqa: E402
from earshot_training.sounds.soundfont import SampleZone  # noqa: E402


def zone_of(name: str, loop: tuple[int, int] | None = None) -> SampleZone:
    """A second at 44.1 kHz."""
    return SampleZone(name, np.ones(44100, np.float32), 44100, 60.0, loop)


def test_a_short_loop_is_repeated_to_600_samples_with_a_tail_of_its_beginning():
    # A ramp is its own index.
    waveform, loop = _lengthen_loop(np.arange(60), (20, 60))
    assert loop == (60, 660)
    assert waveform.tolist() == [*range(60), *(20 + index % 40 for index in range(640))]


def test_a_loop_is_kept_in_samples_of_the_bank_unless_it_is_cut_or_a_pianos():
    waveform, loop = _trim(zone_of("flute", (1000, 3000)), kept_s=1.1)
    # Moved by its own length of 2,000 samples, then halved with the rate.
    assert loop == (1500, 2500) and len(waveform) == 2502
    assert _trim(zone_of("flute", (1000, 3000)), kept_s=0.05)[1] is None
    assert _trim(zone_of("piano", (1000, 3000)), kept_s=2.2)[1] is None


def test_a_sound_without_a_loop_is_cut_and_faded_out():
    waveform, _ = _trim(zone_of("drum"), kept_s=0.4)
    assert len(waveform) == int(0.4 * 22050)
    # Resampling rings at the edges; in the middle the level is even.
    assert waveform[5000] == pytest.approx(waveform[4000], rel=0.01)
    assert waveform[-1] == 0 and np.abs(waveform).max() <= 1


def test_a_later_font_adds_only_the_programs_with_samples_of_its_own():
    builder = BankBuilder()
    for font_index, name in enumerate(("Flute L", "flute R", "fife")):
        zone = lambda preset_bank, program, key, name=name: zone_of(name) if program == 73 else None
        builder.add_font(font_index, SimpleNamespace(zone=zone, presets={}))
    assert builder.programs == [(0, 73, 0), (2, 73, 1)]
    assert len(builder.waveforms) == len(builder.pitches_midi) == len(builder.loops) == 2


def test_what_is_saved_is_read_back(tmp_path, monkeypatch):
    builder = BankBuilder()
    builder.waveforms = [compress(np.linspace(-1, 1, 100)), compress(np.full(700, 0.5))]
    builder.pitches_midi, builder.loops = [60.0, 61.5], [None, (50.0, 650.0)]
    builder.programs, builder.drums = [(0, 73, 1)], [(0, 8, 36, 0)]
    monkeypatch.setattr(bank, "BANK_PATH", tmp_path / "bank.xz")
    builder.save(bank.BANK_PATH)
    (plain, looped), pitches_midi, programs, drums = bank._read_samples()
    # Of mu-law, a step is 4.5 % of the value.
    assert plain == pytest.approx(np.linspace(-1, 1, 100), rel=0.025, abs=2e-4)
    assert len(looped) == int(bank.UNROLLED_LOOP_S * 22050)
    assert (pitches_midi.tolist(), programs.tolist(), drums.tolist()) == ([60.0, 61.5], [[0, 73, 1]], [[0, 8, 36, 0]])
