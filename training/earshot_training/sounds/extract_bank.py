"""Cuts a small sample bank out of free soundfonts: `python -m earshot_training.sounds.extract_bank A.sf2 [B.sf2 …]`.

The bank is committed (samples/bank.xz), so this is only needed to change its contents. Its sources are Debian's
fluid-soundfont-gm and musescore-general-soundfont-lossless (MIT, parts CC0 and public domain; samples/LICENCE.txt).
Samples are mono, 22.05 kHz, 8-bit mu-law: its noise is 38 dB below the sound, within what the mixer adds (mixer.py).
A later font contributes only samples whose names the earlier ones lack, since MuseScore_General grew out of Fluid.
"""

from __future__ import annotations

import io
import lzma
import sys
from math import gcd
from pathlib import Path

import numpy as np
from scipy.signal import resample_poly

from ..features import SAMPLE_RATE_HZ
from .bank import BANK_PATH, DECAYING_PROGRAMS, FADE_SAMPLES
from .companding import compress
from .soundfont import DRUM_BANK, SampleZone, SoundFont

# Drums and sound effects, such as reverse cymbals and helicopters.
SKIPPED_PROGRAMS = {47, 112, 115, 116, 117, 118, 119, *range(120, 128)}
# MIDI keys at which a program is sampled.
KEYS_PIANO, KEYS_PLUCKED, KEYS_BASS, KEYS_OTHER = (33, 45, 57, 69, 81), (40, 52, 64, 76), (30, 40), (46, 60, 72)
CYMBAL_KEYS = {49, 51, 52, 53, 55, 57, 59}
# How much of a sound is kept: short enough for the bank to be committed.
KEPT_DECAYING_S, KEPT_PIANO_S, KEPT_SUSTAINED_S, KEPT_DRUM_S, KEPT_CYMBAL_S = 1.3, 2.2, 1.1, 0.4, 1.0
# A share of the peak, 10 dB below the noise of mu-law.
AUDIBLE_SHARE = 0.004
# A shorter loop is repeated. Its tail, a copy of its beginning, gives resampling something to read beyond the end.
LOOP_SAMPLES_MIN, LOOP_TAIL_SAMPLES = 600, 200


class BankBuilder:
    def __init__(self) -> None:
        self.waveforms: list[np.ndarray] = []
        self.pitches_midi: list[float] = []
        self.loops: list[tuple[float, float] | None] = []
        self.programs: list[tuple[int, int, int]] = []
        self.drums: list[tuple[int, int, int, int]] = []
        self._seen: dict[tuple[str, float], tuple[int, int]] = {}

    def add_font(self, font_index: int, font: SoundFont) -> None:
        for program in range(128):
            if program not in SKIPPED_PROGRAMS:
                self._add_program(font_index, font, program)
        for bank, kit in sorted(font.presets):
            if bank == DRUM_BANK:
                self._add_kit(font_index, font, kit)

    def _add_program(self, font_index: int, font: SoundFont, program: int) -> None:
        rows = []
        for key in _keys_of(program):
            zone = font.zone(0, program, key)
            if zone is None:
                continue
            kept_s = KEPT_SUSTAINED_S
            if program in DECAYING_PROGRAMS:
                kept_s = KEPT_PIANO_S if program < 4 else KEPT_DECAYING_S
            index, owner = self._add_sample(font_index, zone, kept_s)
            rows.append((index, owner))
        # A program with only an earlier font's samples would add no sound and make those samples likelier.
        if rows and any(owner == font_index for _, owner in rows):
            self.programs += sorted({(font_index, program, index) for index, _ in rows})

    def _add_kit(self, font_index: int, font: SoundFont, kit: int) -> None:
        for key in range(33, 82):
            zone = font.zone(DRUM_BANK, kit, key)
            if zone is None:
                continue
            zone = SampleZone(zone.name, zone.waveform, zone.sample_rate_hz, float(key), None)
            index, owner = self._add_sample(font_index, zone, KEPT_CYMBAL_S if key in CYMBAL_KEYS else KEPT_DRUM_S)
            if owner == font_index:
                self.drums.append((font_index, kit, key, index))

    def _add_sample(self, font_index: int, zone: SampleZone, kept_s: float) -> tuple[int, int]:
        identity = (zone.name.strip().rstrip("LR ").lower(), round(zone.pitch_midi, 1))
        if identity not in self._seen:
            waveform, loop = _trim(zone, kept_s)
            self.waveforms.append(compress(waveform))
            self.pitches_midi.append(zone.pitch_midi)
            self.loops.append(loop)
            self._seen[identity] = (len(self.waveforms) - 1, font_index)
        return self._seen[identity]

    def save(self, path: Path) -> None:
        buffer = io.BytesIO()
        np.savez(
            buffer,
            data=np.concatenate(self.waveforms),
            offsets=np.cumsum([0] + [len(w) for w in self.waveforms]),
            pitches=np.array(self.pitches_midi, np.float32),
            # The array cannot hold null: a sample without a loop has one of length 0.
            loops=np.array([loop or (0, 0) for loop in self.loops], np.float32),
            programs=np.array(self.programs, np.int32),
            drums=np.array(self.drums, np.int32),
        )
        path.write_bytes(lzma.compress(buffer.getvalue(), preset=9))


def _keys_of(program: int) -> tuple[int, ...]:
    if program < 4:
        return KEYS_PIANO
    if program < 8 or 24 <= program < 32:
        return KEYS_PLUCKED
    return KEYS_BASS if 32 <= program < 40 else KEYS_OTHER


def _trim(zone: SampleZone, kept_s: float) -> tuple[np.ndarray, tuple[float, float] | None]:
    """Cuts to the kept length, resamples and scales to unit peak. Keeps a loop that lies within, except a piano's."""
    waveform, loop, rate_hz = zone.waveform, zone.loop, zone.sample_rate_hz
    if loop is not None and loop[1] <= kept_s * rate_hz and kept_s < KEPT_PIANO_S:
        waveform, loop = _lengthen_loop(waveform[: loop[1]], loop)
    else:
        waveform, loop = waveform[: int(kept_s * rate_hz)], None
    common_hz = gcd(SAMPLE_RATE_HZ, rate_hz)
    waveform = resample_poly(waveform, SAMPLE_RATE_HZ // common_hz, rate_hz // common_hz).astype(np.float32)
    waveform = waveform / (np.abs(waveform).max() + 1e-9)
    if loop is not None:
        ratio = SAMPLE_RATE_HZ / rate_hz
        return waveform[: int(np.ceil(loop[1] * ratio)) + 2], (loop[0] * ratio, loop[1] * ratio)
    audible = np.nonzero(np.abs(waveform) > AUDIBLE_SHARE)[0]
    waveform = waveform[: audible[-1] + 1 if len(audible) else 1].copy()
    fade_samples = min(len(waveform), FADE_SAMPLES)
    waveform[len(waveform) - fade_samples :] *= np.linspace(1, 0, fade_samples)
    return waveform, None


def _lengthen_loop(waveform: np.ndarray, loop: tuple[int, int]) -> tuple[np.ndarray, tuple[int, int]]:
    """Repeats a loop of a few periods, so that resampling does not make its seam audible as a buzz."""
    start, end = loop
    loop_samples = end - start
    repeats = max(1, int(np.ceil(LOOP_SAMPLES_MIN / loop_samples)))
    body = waveform[start:end]
    return np.concatenate([waveform, *[body] * repeats, body[:LOOP_TAIL_SAMPLES]]), (end, end + loop_samples * repeats)


def main() -> None:
    builder = BankBuilder()
    for font_index, path in enumerate(sys.argv[1:]):
        builder.add_font(font_index, SoundFont(Path(path)))
    builder.save(BANK_PATH)
    duration_s = sum(map(len, builder.waveforms)) / SAMPLE_RATE_HZ
    print(f"{len(builder.waveforms)} samples, {duration_s:.0f} s, {BANK_PATH.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
