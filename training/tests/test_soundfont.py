"""A SoundFont 2 file made byte by byte after the specification, sections 5 and 7."""

import struct
from pathlib import Path

import numpy as np
import pytest

from earshot_training.sounds.soundfont import DRUM_BANK, SoundFont

KEY_RANGE, VELOCITY_RANGE, INSTRUMENT, COARSE_TUNE, FINE_TUNE = 43, 44, 41, 51, 52
SAMPLE_ID, SAMPLE_MODES, ROOT_KEY = 53, 54, 58
PCM = np.arange(-100, 100, dtype="<i2") * 100


def chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content


def hydra(zones: list[list[tuple[int, int]]], original_key: int = 60) -> bytes:
    """Preset 5 of bank 0, with one instrument of the given zones, and one sample: points 10 to 110, loop 20 to 90."""
    bags, generators, first = b"", b"", 0
    for zone in zones:
        bags += struct.pack("<HH", first, 0)
        generators += b"".join(struct.pack("<HH", *generator) for generator in zone)
        first += len(zone)
    bags += struct.pack("<HH", first, 0)
    sample = struct.pack("<20sIIIIIBbHH", b"sample", 10, 110, 20, 90, 32000, original_key, 50, 0, 1)
    parts = {
        b"phdr": b"".join(
            struct.pack("<20sHHHIII", name, 5, 0, bag, 0, 0, 0) for bag, name in enumerate((b"preset", b""))
        ),
        b"pbag": struct.pack("<HHHH", 0, 0, 1, 0),
        b"pgen": struct.pack("<HH", INSTRUMENT, 0),
        b"inst": struct.pack("<20sH", b"instrument", 0) + struct.pack("<20sH", b"", len(zones)),
        b"ibag": bags,
        b"igen": generators,
        b"shdr": sample,
    }
    return b"".join(chunk(name, content) for name, content in parts.items())


def font(folder: Path, zones: list[list[tuple[int, int]]], **options: int) -> SoundFont:
    samples = chunk(b"LIST", b"sdta" + chunk(b"smpl", PCM.tobytes()))
    content = chunk(b"RIFF", b"sfbk" + samples + chunk(b"LIST", b"pdta" + hydra(zones, **options)))
    (folder / "font.sf2").write_bytes(content)
    return SoundFont(folder / "font.sf2")


def keys(low: int, high: int) -> tuple[int, int]:
    return KEY_RANGE, low | high << 8


def test_a_key_takes_the_zone_that_covers_it_over_the_global_zone(tmp_path):
    global_zone = [(SAMPLE_MODES, 1), (ROOT_KEY, 50)]
    zones = [global_zone, [keys(0, 59), (SAMPLE_ID, 0)], [keys(60, 127), (ROOT_KEY, 70), (SAMPLE_ID, 0)]]
    loaded = font(tmp_path, zones)
    low, high = loaded.zone(0, 5, 59), loaded.zone(0, 5, 60)
    # Corrected by 50 cents, so that at its own rate the sample sounds half a semitone below its key.
    assert (low.pitch_midi, high.pitch_midi) == (49.5, 69.5)
    # Counted from the sample's first point.
    assert low.loop == high.loop == (10, 80)
    assert (low.name, low.sample_rate_hz) == ("sample", 32000)
    assert low.waveform.tolist() == (PCM[10:110] / 32768).astype(np.float32).tolist()


def test_of_the_layers_of_a_key_the_one_for_loud_notes_is_read(tmp_path):
    soft, loud = (VELOCITY_RANGE, 0 | 99 << 8), (VELOCITY_RANGE, 100 | 127 << 8)
    loaded = font(tmp_path, [[soft, (ROOT_KEY, 50), (SAMPLE_ID, 0)], [loud, (ROOT_KEY, 70), (SAMPLE_ID, 0)]])
    assert loaded.zone(0, 5, 60).pitch_midi == 69.5


def test_no_zone_is_none(tmp_path):
    loaded = font(tmp_path, [[keys(60, 61), (SAMPLE_ID, 0)]])
    assert loaded.zone(0, 5, 62) is None
    assert loaded.zone(0, 6, 60) is None
    assert loaded.zone(DRUM_BANK, 5, 60) is None


@pytest.mark.parametrize(("original_key", "pitch_midi"), [(64, 63.5), (255, 59.5)])
def test_an_impossible_key_is_played_as_middle_c(tmp_path, original_key, pitch_midi):
    loaded = font(tmp_path, [[(SAMPLE_ID, 0)]], original_key=original_key)
    assert loaded.zone(0, 5, 60).pitch_midi == pitch_midi
    assert loaded.zone(0, 5, 60).loop is None


def test_tuning_is_signed_and_counted_in_semitones_and_cents(tmp_path):
    loaded = font(tmp_path, [[(COARSE_TUNE, 2**16 - 12), (FINE_TUNE, 25), (SAMPLE_ID, 0)]])
    # An octave down, and 25 + 50 cents up.
    assert loaded.zone(0, 5, 60).pitch_midi == 60 + 12 - 0.75
