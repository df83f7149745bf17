"""The sound bank: one table of waveforms, soundfont samples first and synthesised one-shots after them."""

from __future__ import annotations

import io
import lzma
from dataclasses import dataclass
from multiprocessing.pool import Pool
from pathlib import Path

import numpy as np

from ..features import SAMPLE_RATE_HZ
from .companding import expand
from .synthesis import synthesise_drum, synthesise_syllable, synthesise_tone

BANK_PATH = Path(__file__).parents[2] / "samples" / "bank.xz"
UNROLLED_LOOP_S = 2.6
"""Nearly every note of a clip is shorter."""
FADE_SAMPLES = 1500
"""Length of the fade-out of a sound that is cut off."""

TONE_PITCHES_MIDI, BASS_TONE_PITCHES_MIDI = (38, 50, 62, 74), (28, 38)
TONE_COUNT, BASS_TONE_COUNT, SINGER_COUNT, SPEAKER_COUNT = 110, 50, 45, 30
SYLLABLES_PER_SINGER, SYLLABLES_PER_SPEAKER = 8, 12
# General MIDI programs that decay by themselves.
DECAYING_PROGRAMS = {*range(0, 16), *range(24, 40), 45, 46, *range(104, 109)}
DRUM_COUNTS = {
    "kick": 70,
    "snare": 70,
    "hat": 50,
    "open_hat": 30,
    "clap": 30,
    "rim": 20,
    "shaker": 20,
    "crash": 20,
    "ride": 20,
    "tom": 40,
    "percussion": 80,
}

Voicing = list[tuple[int, float]]
"""Samples of one instrument: (index into the table, MIDI pitch at which it was recorded)."""


@dataclass
class SoundBank:
    waveforms: list[np.ndarray]
    programs: dict[int, list[Voicing]]
    """General MIDI program -> one voicing per soundfont that has it."""
    kits: dict[tuple[int, int], dict[int, int]]
    """(font, kit) -> General MIDI drum key -> sample."""
    tones: list[Voicing]
    bass_tones: list[Voicing]
    singers: list[Voicing]
    speakers: list[Voicing]
    drums: dict[str, list[int]]


def load_sound_bank(pool: Pool | None = None, scale: float = 1.0, seed_offset: int = 0) -> SoundBank:
    """`scale` is the share of the one-shots to make. Another `seed_offset` gives other one-shots."""
    waveforms, pitches_midi, program_rows, drum_rows = _read_samples()
    programs: dict[int, dict[int, Voicing]] = {}
    for font, program, index in program_rows:
        programs.setdefault(int(program), {}).setdefault(int(font), []).append((int(index), float(pitches_midi[index])))
    kits: dict[tuple[int, int], dict[int, int]] = {}
    for font, kit, key, index in drum_rows:
        kits.setdefault((int(font), int(kit)), {})[int(key)] = int(index)

    jobs = _OneShotJobs(first_index=len(waveforms), scale=scale, seed_offset=seed_offset)
    tones = jobs.add_tones(TONE_COUNT, TONE_PITCHES_MIDI, first_seed=1000)
    bass_tones = jobs.add_tones(BASS_TONE_COUNT, BASS_TONE_PITCHES_MIDI, first_seed=5000)
    singers = jobs.add_voices("sung", SINGER_COUNT, SYLLABLES_PER_SINGER, (46, 66), 12, first_seed=20000)
    speakers = jobs.add_voices("spoken", SPEAKER_COUNT, SYLLABLES_PER_SPEAKER, (40, 58), 7, first_seed=40000)
    drums = jobs.add_drums(first_seed=60000)
    made = pool.map(_run_job, jobs.jobs, chunksize=8) if pool else [_run_job(job) for job in jobs.jobs]
    return SoundBank(
        waveforms=waveforms + made,
        programs={program: list(by_font.values()) for program, by_font in programs.items()},
        kits=kits,
        tones=tones,
        bass_tones=bass_tones,
        singers=singers,
        speakers=speakers,
        drums=drums,
    )


class _OneShotJobs:
    def __init__(self, first_index: int, scale: float, seed_offset: int) -> None:
        self.jobs: list[tuple] = []
        self._first_index, self._scale, self._seed_offset = first_index, scale, seed_offset
        self._pitch_source = np.random.RandomState(5 + seed_offset)

    def _count(self, count: int) -> int:
        return max(2, int(count * self._scale))

    def _add(self, kind: str, seed: int, pitch_midi: int | None) -> int:
        self.jobs.append((kind, seed + self._seed_offset, pitch_midi))
        return self._first_index + len(self.jobs) - 1

    def add_tones(self, count: int, pitches_midi: tuple[int, ...], first_seed: int) -> list[Voicing]:
        return [
            [(self._add("tone", first_seed + k, pitch), float(pitch)) for pitch in pitches_midi]
            for k in range(self._count(count))
        ]

    def add_voices(
        self, kind: str, count: int, syllables: int, lowest_midi: tuple[int, int], span_semitones: int, first_seed: int
    ) -> list[Voicing]:
        voices = []
        for k in range(self._count(count)):
            lowest = self._pitch_source.randint(*lowest_midi)
            voice = []
            for s in range(syllables):
                pitch_midi = int(lowest + self._pitch_source.randint(0, span_semitones))
                voice.append((self._add(kind, first_seed + k * 100 + s, pitch_midi), float(pitch_midi)))
            voices.append(voice)
        return voices

    def add_drums(self, first_seed: int) -> dict[str, list[int]]:
        return {
            kind: [self._add("drum:" + kind, first_seed + s * 31, None) for s in range(self._count(count))]
            for kind, count in DRUM_COUNTS.items()
        }


def _run_job(job: tuple) -> np.ndarray:
    kind, seed, pitch_midi = job
    if kind == "tone":
        return synthesise_tone(seed, pitch_midi)
    if kind.startswith("drum:"):
        return synthesise_drum(seed, kind.removeprefix("drum:"))
    return synthesise_syllable(seed, pitch_midi, spoken=kind == "spoken")


def _read_samples() -> tuple[list[np.ndarray], np.ndarray, np.ndarray, np.ndarray]:
    stored = np.load(io.BytesIO(lzma.decompress(BANK_PATH.read_bytes())))
    pcm = expand(stored["data"])
    offsets = stored["offsets"]
    waveforms = []
    for index, (start_samples, end_samples) in enumerate(stored["loops"]):
        waveform = pcm[offsets[index] : offsets[index + 1]]
        if end_samples > 0:
            waveform = _unroll(waveform, float(start_samples), float(end_samples))
        waveforms.append(waveform.astype(np.float32))
    return waveforms, stored["pitches"], stored["programs"], stored["drums"]


def _unroll(waveform: np.ndarray, start_samples: float, end_samples: float) -> np.ndarray:
    """Repeats the loop to a fixed length, and fades out. Interpolates, as resampling made loop points fractional."""
    at_samples = np.arange(int(UNROLLED_LOOP_S * SAMPLE_RATE_HZ), dtype=np.float64)
    looped_samples = start_samples + np.mod(at_samples - start_samples, end_samples - start_samples)
    at_samples = np.where(at_samples < end_samples, at_samples, looped_samples)
    left = np.minimum(at_samples.astype(int), len(waveform) - 2)
    fraction = at_samples - left
    out = waveform[left] * (1 - fraction) + waveform[left + 1] * fraction
    out[-FADE_SAMPLES:] *= np.linspace(1, 0, FADE_SAMPLES)
    return out
