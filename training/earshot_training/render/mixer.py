"""Mixes stems with drive, equalisers, reverb, ducking, compression, clipping and noise.

The clip carries the settings that belong to its style. The others are drawn at random for every clip, so that the
networks do not learn to rely on production. Ranges and probabilities are set by ear. The shipped weights were trained
with a ducking that came up to 60 ms early at the end of a clip and lasted from the beginning of a clip to its first
beat; both errors have been fixed since.
"""

from __future__ import annotations

import math

import numpy as np
import torch
import torch.nn.functional as F

from ..composer.compose import Clip, Mix
from ..composer.score import BASS, LEAD, STEM_COUNT
from ..composer.timeline import CLIP_S
from ..features import SAMPLE_RATE_HZ
from .sampler import CLIP_SAMPLES

# Longer than a clip and its reverb, which thus do not wrap around.
FFT_SAMPLES = 1 << 20
EQ_POINTS, EQ_KNOTS = 24, 6
EQ_LOWEST_HZ = 30.0
REVERB_S = 2
# Share of each stem sent to the reverb: drums, bass, accompaniment, colour, lead.
REVERB_SEND = (0.4, 0.15, 1.0, 1.0, 0.9)
LOUDNESS_BLOCK_SAMPLES, COMPRESSOR_BLOCK_SAMPLES = 2205, 220
COMPRESSOR_MEMORY_BLOCKS, COMPRESSOR_DECAY_BLOCKS = 60, 12
DECAY_OF_60_DB = 6.9  # ln(1000), as an amplitude
# A block with less than this share of the power of a stem's loudest one, 17 dB down, counts as silent.
ACTIVE_SHARE = 0.02
DUCKING_RELEASE_S = 0.12
CONTROL_RATE_HZ = 100


class Mixer:
    def __init__(self, device: str, generator: torch.Generator) -> None:
        self.device, self._generator = device, generator
        self._frequencies_hz = torch.fft.rfftfreq(FFT_SAMPLES, 1 / SAMPLE_RATE_HZ).to(device)
        octaves = torch.log2(self._frequencies_hz.clamp(min=EQ_LOWEST_HZ) / EQ_LOWEST_HZ)
        octave_share = octaves / math.log2(SAMPLE_RATE_HZ / 2 / EQ_LOWEST_HZ)
        position = (octave_share * (EQ_POINTS - 1)).clamp(0, EQ_POINTS - 1.001)
        self._eq_left = position.long()
        self._eq_fraction = position - self._eq_left

    def mix(self, stems: torch.Tensor, clips: list[Clip]) -> torch.Tensor:
        """(clips, samples), at about unit RMS."""
        mixes = [clip.mix for clip in clips]
        stems = self._drive(stems, mixes)
        stems = self._equalise_and_place(stems, mixes)
        stems[:, BASS:LEAD] *= self._ducking(clips)
        level_db = torch.tensor([m.level_db for m in mixes], device=self.device)
        mono = (stems * (10 ** (level_db / 20))[..., None]).sum(1)
        mono = _unit_rms(mono)
        mono = _unit_rms(self._swell(mono, mixes))
        mono = self._clip(self._compress(mono))
        return self._master(mono)

    def _uniform(self, *shape: int) -> torch.Tensor:
        return torch.rand(*shape, device=self.device, generator=self._generator)

    def _normal(self, *shape: int) -> torch.Tensor:
        return torch.randn(*shape, device=self.device, generator=self._generator)

    def _sometimes(self, probability: float, value: torch.Tensor, otherwise: float) -> torch.Tensor:
        chosen = self._uniform(*value.shape[:-1], 1) < probability
        return torch.where(chosen, value, torch.full((), otherwise, device=self.device))

    def _drive(self, stems: torch.Tensor, mixes: list[Mix]) -> torch.Tensor:
        loudness = _active_rms(stems)
        sounding = (loudness > 1e-5).float()[..., None]
        stems = stems / (loudness + 1e-6)[..., None]
        drive = torch.tensor([m.drive for m in mixes], device=self.device)[..., None]
        stems = torch.where(drive > 0, torch.tanh(stems * (drive + 0.1) * 0.7), stems)
        return stems / (_active_rms(stems) + 1e-6)[..., None] * sounding

    def _equalise_and_place(self, stems: torch.Tensor, mixes: list[Mix]) -> torch.Tensor:
        clips = len(stems)
        eq_db = self._random_eq_db((clips, STEM_COUNT), 5.0)
        # Shares of the range in octaves, and dB over the whole of it.
        places = torch.linspace(0, 1, EQ_POINTS, device=self.device)
        corner, slope_db = self._uniform(clips, STEM_COUNT, 1) * 0.6 + 0.4, self._uniform(clips, STEM_COUNT, 1) * 120
        eq_db = eq_db - self._sometimes(0.35, (places - corner).clamp(min=0) * slope_db, 0.0)
        corner, slope_db = self._uniform(clips, STEM_COUNT, 1) * 0.35, self._uniform(clips, STEM_COUNT, 1) * 100
        eq_db = eq_db - self._sometimes(0.25, (corner - places).clamp(min=0) * slope_db, 0.0)
        room = torch.fft.rfft(self._room(mixes), FFT_SAMPLES)
        wet = torch.tensor([m.reverb_wet for m in mixes], device=self.device)[:, None]
        spectrum = torch.fft.rfft(stems, FFT_SAMPLES)
        for stem in range(STEM_COUNT):
            send = wet * REVERB_SEND[stem]
            spectrum[:, stem] *= self._eq_curve(eq_db[:, stem]) * (1 - 0.5 * send + 1.4 * send * room)
        return torch.fft.irfft(spectrum, FFT_SAMPLES)[..., :CLIP_SAMPLES]

    def _room(self, mixes: list[Mix]) -> torch.Tensor:
        """Noise that decays by 60 dB in the reverberation time, after a short gap."""
        decay_s = torch.tensor([m.reverb_s for m in mixes], device=self.device)[:, None]
        times_s = torch.arange(REVERB_S * SAMPLE_RATE_HZ, device=self.device)[None] / SAMPLE_RATE_HZ
        gap_s = self._uniform(len(mixes), 1) * 0.03
        noise = self._normal(len(mixes), times_s.shape[1])
        tail = noise * torch.exp(-DECAY_OF_60_DB * times_s / decay_s) * (times_s > gap_s)
        return tail / (tail.pow(2).sum(-1, keepdim=True).sqrt() + 1e-9)

    def _ducking(self, clips: list[Clip]) -> torch.Tensor:
        """The sidechain pump of dance music: a gain for all stems but drums and lead that dips on each beat."""
        times_s = np.arange(int(CLIP_S * CONTROL_RATE_HZ) + 1) / CONTROL_RATE_HZ
        gain = np.ones((len(clips), len(times_s)), np.float32)
        for index, clip in enumerate(clips):
            if clip.mix.pump_share > 0 and len(clip.beats_s) > 1:
                beats_s = np.array(clip.beats_s)
                last = np.searchsorted(beats_s, times_s, side="right") - 1
                since_s = np.where(last < 0, np.inf, times_s - beats_s[last])
                gain[index] = 1 - clip.mix.pump_share * np.exp(-since_s / DUCKING_RELEASE_S)
        gain = torch.from_numpy(gain).to(self.device)[:, None]
        return F.interpolate(gain, size=CLIP_SAMPLES, mode="linear", align_corners=True)

    def _swell(self, mono: torch.Tensor, mixes: list[Mix]) -> torch.Tensor:
        swells_db = torch.tensor([m.swells_db for m in mixes], device=self.device)[:, None, None]
        curve_db = F.interpolate(
            self._normal(len(mono), 1, 7) * swells_db, size=CLIP_SAMPLES, mode="linear", align_corners=True
        )
        return mono * 10 ** (curve_db[:, 0] / 20)

    def _compress(self, mono: torch.Tensor) -> torch.Tensor:
        """Reduces the gain where a decaying average of the power exceeds a threshold."""
        clips = len(mono)
        power = _block_power(mono, COMPRESSOR_BLOCK_SAMPLES)
        kernel = torch.exp(-torch.arange(COMPRESSOR_MEMORY_BLOCKS, device=self.device) / COMPRESSOR_DECAY_BLOCKS)
        kernel = (kernel / kernel.sum()).flip(0)[None, None]
        envelope = F.conv1d(F.pad(power[:, None], (COMPRESSOR_MEMORY_BLOCKS - 1, 0)), kernel)[:, 0].clamp(min=0).sqrt()
        ratio = self._sometimes(0.6, 1 + self._uniform(clips, 1) * 5, 1.0)
        threshold = 0.2 + self._uniform(clips, 1)
        gain = torch.where(
            envelope > threshold, (envelope / threshold + 1e-9) ** (1 / ratio - 1), torch.ones_like(envelope)
        )
        return mono * F.interpolate(gain[:, None], size=CLIP_SAMPLES, mode="linear")[:, 0]

    def _clip(self, mono: torch.Tensor) -> torch.Tensor:
        hardness = self._sometimes(0.4, self._uniform(len(mono), 1) + 0.15, 0.02)
        return torch.tanh(mono * hardness) / hardness

    def _master(self, mono: torch.Tensor) -> torch.Tensor:
        clips = len(mono)
        eq_db = self._random_eq_db((clips,), 4.0)
        places = torch.linspace(0, 1, EQ_POINTS, device=self.device)
        eq_db = eq_db - self._sometimes(0.25, (places - (0.55 + 0.4 * self._uniform(clips, 1))).clamp(min=0) * 300, 0.0)
        eq_db = eq_db - self._sometimes(0.2, (0.3 * self._uniform(clips, 1) - places).clamp(min=0) * 200, 0.0)
        spectrum = torch.fft.rfft(mono, FFT_SAMPLES) * self._eq_curve(eq_db)
        noise = torch.complex(
            self._normal(clips, FFT_SAMPLES // 2 + 1), self._normal(clips, FFT_SAMPLES // 2 + 1)
        ) / math.sqrt(2)
        tilt = (self._frequencies_hz.clamp(min=20) / 1000)[None] ** -self._uniform(clips, 1)
        noise_level = self._sometimes(0.5, 10 ** ((-55 + self._uniform(clips, 1) * 35) / 20), 1e-4)
        spectrum = spectrum + noise * tilt * noise_level * math.sqrt(FFT_SAMPLES / 2) * 0.8
        return torch.fft.irfft(spectrum, FFT_SAMPLES)[:, :CLIP_SAMPLES]

    def _random_eq_db(self, shape: tuple[int, ...], spread_db: float) -> torch.Tensor:
        knots_db = (self._normal(*shape, EQ_KNOTS) * spread_db).view(-1, 1, EQ_KNOTS)
        return F.interpolate(knots_db, size=EQ_POINTS, mode="linear", align_corners=True).view(*shape, EQ_POINTS)

    def _eq_curve(self, eq_db: torch.Tensor) -> torch.Tensor:
        gain = 10 ** (eq_db / 20)
        return gain[..., self._eq_left] * (1 - self._eq_fraction) + gain[..., self._eq_left + 1] * self._eq_fraction


def _unit_rms(mono: torch.Tensor) -> torch.Tensor:
    return mono / (mono.pow(2).mean(-1, keepdim=True).sqrt() + 1e-6)


def _active_rms(stems: torch.Tensor) -> torch.Tensor:
    """RMS over the blocks in which a stem plays, so that normalising does not make sparse parts louder."""
    power = _block_power(stems, LOUDNESS_BLOCK_SAMPLES)
    active = (power > ACTIVE_SHARE * power.amax(-1, keepdim=True)).float()
    return ((power * active).sum(-1) / (active.sum(-1) + 1e-9)).sqrt()


def _block_power(audio: torch.Tensor, block_samples: int) -> torch.Tensor:
    whole = audio[..., : audio.shape[-1] // block_samples * block_samples]
    return whole.unflatten(-1, (-1, block_samples)).pow(2).mean(-1)
