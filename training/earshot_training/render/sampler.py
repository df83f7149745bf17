"""Plays samples: each event becomes a resampled copy of a waveform in its stem, with an envelope and perhaps vibrato.

Two implementations of one formula. The Triton kernel runs a program for every 1024 output samples of every note and
adds atomically (with mixing and spectra, 1,400 clips a second on an H200). The PyTorch one goes note by note; it serves
CPUs and tests the kernel. Atomic addition makes the last bits of the GPU's sums differ from run to run, so that
repeated trainings agree in score, not in every weight.
"""

from __future__ import annotations

import numpy as np
import torch

from ..composer.score import STEM_COUNT
from ..composer.timeline import CLIP_S
from ..features import SAMPLE_RATE_HZ

try:
    import triton
    import triton.language as tl
except ImportError:
    triton = None

CLIP_SAMPLES = int(CLIP_S * SAMPLE_RATE_HZ)
# The kernel starts a program for every block of the longest note; few notes are longer, and those are cut.
NOTE_S_MAX = 3.5
BLOCK_SAMPLES = 1024
AUDIBLE_RELEASES = 5
"""A note is cut five release times after its end, 43 dB down."""
# ln(2) / 12: the relative change of the playback rate for a bend of one semitone, linearised.
VIBRATO_SHARE_PER_SEMITONE = 0.05776
TWO_PI = 6.2832

if triton is not None:

    @triton.jit
    def _play_kernel(
        out,
        bank,
        base,
        start_samples,
        length_samples,
        sample_offset,
        sample_length_samples,
        rate_ratio,
        gain,
        attack_s,
        decay_per_s,
        release_s,
        duration_s,
        vibrato_semitones,
        vibrato_hz,
        clip_samples,
        BLOCK: tl.constexpr,
    ):
        # A kernel cannot read module constants: its literals are the sample rate and the constants above.
        note, block = tl.program_id(0), tl.program_id(1)
        note_samples = tl.load(length_samples + note)
        if block * BLOCK < note_samples:
            t = block * BLOCK + tl.arange(0, BLOCK)
            seconds = t.to(tl.float32) / 22050.0
            first_sample, ratio = tl.load(start_samples + note), tl.load(rate_ratio + note)
            depth, shake_hz = tl.load(vibrato_semitones + note), tl.load(vibrato_hz + note)
            bend = ratio * 22050.0 * (depth * 0.05776) / (6.2832 * shake_hz) * (1 - tl.cos(6.2832 * shake_hz * seconds))
            position = t.to(tl.float32) * ratio + bend
            left = tl.floor(position).to(tl.int32)
            fraction = position - left.to(tl.float32)
            available, offset = tl.load(sample_length_samples + note), tl.load(sample_offset + note)
            sounds = (
                (t < note_samples)
                & (left + 1 < available)
                & (left >= 0)
                & (first_sample + t >= 0)
                & (first_sample + t < clip_samples)
            )
            a = tl.load(bank + offset + left, mask=sounds, other=0.0)
            b = tl.load(bank + offset + left + 1, mask=sounds, other=0.0)
            held_s = tl.load(duration_s + note)
            envelope = tl.minimum(1.0, seconds / tl.load(attack_s + note))
            envelope *= tl.exp(-tl.load(decay_per_s + note) * seconds)
            envelope *= tl.where(seconds > held_s, tl.exp(-(seconds - held_s) / tl.load(release_s + note)), 1.0)
            value = tl.load(gain + note) * (a + (b - a) * fraction) * envelope
            tl.atomic_add(out + tl.load(base + note) + first_sample + t, value, mask=sounds)


class Sampler:
    def __init__(self, waveforms: list[np.ndarray], device: str) -> None:
        self.device = device
        lengths_samples = np.array([len(w) for w in waveforms])
        self._bank = torch.from_numpy(np.concatenate(waveforms).astype(np.float32)).to(device)
        self._lengths_samples = torch.from_numpy(lengths_samples.astype(np.int32)).to(device)
        self._offsets = torch.from_numpy(np.concatenate([[0], np.cumsum(lengths_samples)[:-1]]).astype(np.int64)).to(
            device
        )

    def play(self, events_of_clips: list[np.ndarray]) -> torch.Tensor:
        """(clips, stems, samples)"""
        clip_of_event = np.concatenate([np.full(len(e), i) for i, e in enumerate(events_of_clips)])
        events = torch.from_numpy(np.concatenate(events_of_clips)).to(self.device)
        stem, start_s, duration_s, sample, rate_ratio, gain, attack_s, decay_per_s, release_s, semitones, shake_hz = (
            column.contiguous() for column in events.T
        )
        clip_of_event = torch.from_numpy(clip_of_event).to(self.device)
        sample = sample.long()
        base = (clip_of_event * STEM_COUNT + stem.long()) * CLIP_SAMPLES
        available_samples = self._lengths_samples[sample]
        release_s, attack_s = release_s.clamp(min=1e-3), attack_s.clamp(min=1e-4)
        length_samples = torch.minimum(
            (duration_s + AUDIBLE_RELEASES * release_s) * SAMPLE_RATE_HZ, available_samples / rate_ratio
        )
        out = torch.zeros(len(events_of_clips) * STEM_COUNT * CLIP_SAMPLES, device=self.device)
        arguments = (
            base,
            (start_s * SAMPLE_RATE_HZ).round().int(),
            length_samples.clamp(max=NOTE_S_MAX * SAMPLE_RATE_HZ).int(),
            self._offsets[sample],
            available_samples,
            rate_ratio,
            gain,
            attack_s,
            decay_per_s,
            release_s,
            duration_s,
            semitones,
            shake_hz,
        )
        if triton is not None and self.device == "cuda":
            blocks = -(-int(NOTE_S_MAX * SAMPLE_RATE_HZ) // BLOCK_SAMPLES)
            _play_kernel[(len(events), blocks)](out, self._bank, *arguments, CLIP_SAMPLES, BLOCK=BLOCK_SAMPLES)
        else:
            self._play_one_by_one(out, *arguments)
        return out.view(len(events_of_clips), STEM_COUNT, CLIP_SAMPLES)

    def _play_one_by_one(self, out: torch.Tensor, *arguments: torch.Tensor) -> None:
        for row in zip(*(a.tolist() for a in arguments)):
            base, start_sample, length_samples, offset, available_samples, ratio, gain, *envelope = row
            attack_s, decay_per_s, release_s, held_s, semitones, shake_hz = envelope
            t = torch.arange(length_samples, device=self.device)
            seconds = t / SAMPLE_RATE_HZ
            swing = ratio * SAMPLE_RATE_HZ * semitones * VIBRATO_SHARE_PER_SEMITONE / (TWO_PI * shake_hz)
            position = t * ratio + swing * (1 - torch.cos(TWO_PI * shake_hz * seconds))
            left = position.floor().long()
            at = start_sample + t
            sounds = (left + 1 < available_samples) & (left >= 0) & (at >= 0) & (at < CLIP_SAMPLES)
            at, seconds, left, fraction = at[sounds], seconds[sounds], left[sounds], (position - left)[sounds]
            a, b = self._bank[offset + left], self._bank[offset + left + 1]
            level = (seconds / attack_s).clamp(max=1) * torch.exp(-decay_per_s * seconds)
            level *= torch.exp(-(seconds - held_s).clamp(min=0) / release_s)
            out[base + at] += gain * (a + (b - a) * fraction) * level
