"""Reads from a SoundFont 2 file which sample sounds for a program and key.

Follows the SoundFont 2.04 specification, sections 7 (hydra) and 8 (generators). Modulators, filters, envelopes,
address offsets and all but one velocity are deliberately ignored. The composer gives every note its own envelope, and
the mixer its own filters, so that one sample stands for many instruments.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

GEN_COARSE_TUNE, GEN_FINE_TUNE = 51, 52
GEN_KEY_RANGE, GEN_VELOCITY_RANGE = 43, 44
GEN_INSTRUMENT, GEN_SAMPLE_ID = 41, 53
GEN_SAMPLE_MODES, GEN_ROOT_KEY = 54, 58
DRUM_BANK = 128
# Which velocity layer is read: a loud one. A round number.
VELOCITY = 100
# A shorter loop holds no period of any note that is played.
LOOP_SAMPLES_MIN = 8


@dataclass(frozen=True)
class SampleZone:
    """One sample as a preset plays it."""

    name: str
    waveform: np.ndarray
    sample_rate_hz: int
    pitch_midi: float
    """MIDI note that sounds when the waveform is played at its own rate."""
    loop: tuple[int, int] | None
    """First and one-past-last sample of the sustain loop; None when the sample does not loop."""


class SoundFont:
    def __init__(self, path: Path) -> None:
        self._bytes = path.read_bytes()
        self._chunks: dict[bytes, tuple[int, int]] = {}
        self._index_chunks(0, len(self._bytes))
        self._preset_headers = self._records(b"phdr", "<20sHHHIII")
        self._preset_bags = self._records(b"pbag", "<HH")
        self._preset_generators = self._records(b"pgen", "<HH")
        self._instruments = self._records(b"inst", "<20sH")
        self._instrument_bags = self._records(b"ibag", "<HH")
        self._instrument_generators = self._records(b"igen", "<HH")
        self._sample_headers = self._records(b"shdr", "<20sIIIIIBbHH")
        offset, size = self._chunks[b"smpl"]
        self._pcm = np.frombuffer(self._bytes, dtype="<i2", count=size // 2, offset=offset)
        self.presets = {
            (header[2], header[1]): (header[3], following[3])
            for header, following in zip(self._preset_headers, self._preset_headers[1:])
        }

    def zone(self, bank: int, program: int, key: int) -> SampleZone | None:
        """The first (left, for stereo pairs) sample that sounds for a key, or None when the preset is silent there."""
        if (bank, program) not in self.presets:
            return None
        first_bag, end_bag = self.presets[(bank, program)]
        for preset_zone in _zones(self._preset_bags, self._preset_generators, first_bag, end_bag, GEN_INSTRUMENT):
            if not _covers(preset_zone, key):
                continue
            instrument = preset_zone[GEN_INSTRUMENT]
            first, end = self._instruments[instrument][1], self._instruments[instrument + 1][1]
            for zone in _zones(self._instrument_bags, self._instrument_generators, first, end, GEN_SAMPLE_ID):
                if _covers(zone, key):
                    return self._sample(zone, preset_zone)
        return None

    def _sample(self, zone: dict[int, int], preset_zone: dict[int, int]) -> SampleZone:
        name, start, end, loop_start, loop_end, rate_hz, original_key, correction_cents, _, _ = self._sample_headers[
            zone[GEN_SAMPLE_ID]
        ]
        root_key = zone.get(GEN_ROOT_KEY, original_key)
        # 255 marks a sample without pitch. The specification (7.10) asks to play it, and other invalid keys, as 60.
        if root_key > 127:
            root_key = 60
        tuning_semitones = correction_cents / 100
        for layer in (zone, preset_zone):
            tuning_semitones += _signed(layer.get(GEN_COARSE_TUNE, 0)) + _signed(layer.get(GEN_FINE_TUNE, 0)) / 100
        loops = zone.get(GEN_SAMPLE_MODES, 0) & 1 and loop_end - loop_start > LOOP_SAMPLES_MIN
        return SampleZone(
            name=name.split(b"\0")[0].decode("latin1"),
            waveform=self._pcm[start:end].astype(np.float32) / 32768,
            sample_rate_hz=rate_hz,
            pitch_midi=root_key - tuning_semitones,
            loop=(loop_start - start, loop_end - start) if loops else None,
        )

    def _index_chunks(self, start: int, end: int) -> None:
        position = start
        while position < end:
            identifier = self._bytes[position : position + 4]
            (size,) = struct.unpack_from("<I", self._bytes, position + 4)
            if identifier in (b"LIST", b"RIFF"):
                self._index_chunks(position + 12, position + 8 + size)
            else:
                self._chunks[identifier] = (position + 8, size)
            position += 8 + size + (size & 1)

    def _records(self, chunk: bytes, layout: str) -> list[tuple]:
        offset, size = self._chunks[chunk]
        return list(struct.iter_unpack(layout, self._bytes[offset : offset + size]))


def _zones(bags: list, generators: list, first: int, end: int, terminal: int) -> list[dict[int, int]]:
    """Zones of a preset or instrument, each merged over the global zone; `terminal` is what makes a zone sound."""
    found, global_zone = [], {}
    for bag in range(first, end):
        zone = dict(generators[bags[bag][0] : bags[bag + 1][0]])
        if terminal in zone:
            found.append({**global_zone, **zone})
        elif bag == first:
            global_zone = zone
    return found


def _covers(zone: dict[int, int], key: int) -> bool:
    for generator, value in ((GEN_KEY_RANGE, key), (GEN_VELOCITY_RANGE, VELOCITY)):
        packed = zone.get(generator)
        if packed is not None and not (packed & 255) <= value <= (packed >> 8):
            return False
    return True


def _signed(word: int) -> int:
    return word - 65536 if word > 32767 else word
