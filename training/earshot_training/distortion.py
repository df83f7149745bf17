"""Random distortions of log-mel frames, such as music suffers on its way to a listener.

The ranges were set by hand, wide enough for rooms, loudspeakers, low bit rates and mastering. The shipped weights were
trained with a compression that also raised the five frames at either end of a clip; that error has been fixed since.
"""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F

from .features import MEL_BANDS, MEL_FRAMES_PER_S

EQUALISED_CHANCE = 0.75
# Points of the random curve over the bands, and their standard deviation.
KNOTS, KNOT_DB = 6, 4
# Slopes in dB per band: a low-pass that starts at or above band 38 (1.8 kHz), a high-pass that ends below band 22 (930
# Hz).
LOW_PASS_CHANCE, LOW_PASS_FIRST_BAND, LOW_PASS_DB = 0.3, 38, 8
HIGH_PASS_CHANCE, HIGH_PASS_LAST_BAND, HIGH_PASS_DB = 0.2, 22, 4
# Reverberation times (60 dB) from a living room to a small hall; the room has at most 0.8 of the direct sound's power.
ROOM_CHANCE, ROOM_DECAY_S, ROOM_SHARE_MAX = 0.35, (0.15, 1.65), 0.8
DECAY_OF_60_DB = 13.8  # ln(10^6), as a power
TAIL_FRAMES = 100
# In dB relative to the music.
NOISE_CHANCE, NOISE_DB = 0.5, (-48, -14)
# The exponent of compression at its strongest: changes of the level over 0.22 s (in dB) are reduced by this share.
COMPRESSED_CHANCE, COMPRESSION_MAX = 0.5, 0.8
LEVEL_FRAMES = 11
# Limits of the level relative to its mean, beyond which compression does nothing more.
LEVEL_RANGE = (1e-3, 100)
POWER_FLOOR = 1e-9
SHIFT_BANDS_MAX = 2
# Standard deviation of the factor by which a clip's log magnitudes are multiplied.
CONTRAST_SPREAD = 0.1
# Range of the number of silenced bands (end excluded), and how many bands at least lie above the lowest of them.
SILENCED_CHANCE, SILENCED_BANDS, BANDS_ABOVE_MIN = 0.5, (2, 14), 6
DROP_OUT_CLIPS, DROP_OUT_FRAMES = 8, (10, 100)


class Distortion:
    def __init__(self, device: str, seed: int) -> None:
        self._device = device
        self._generator = torch.Generator(device).manual_seed(seed)
        self._band = torch.arange(MEL_BANDS, device=device)[None]

    @torch.no_grad()
    def __call__(self, mel: torch.Tensor) -> torch.Tensor:
        """(clips, frames, 81) of log(1 + magnitude) in and out; the power of each clip stays the same."""
        power = torch.expm1(mel.clamp(min=0)).pow(2)
        loudness = power.mean((1, 2), keepdim=True)
        power = self._compress(self._add_noise(self._reverberate(self._equalise(power))))
        power = power * loudness / (power.mean((1, 2), keepdim=True) + POWER_FLOOR)
        return torch.log1p(power.clamp(min=0).sqrt())

    def _equalise(self, power: torch.Tensor) -> torch.Tensor:
        """A random curve; sometimes a slope at either end, as from small loudspeakers and low bit rates."""
        clips = len(power)
        knots_db = KNOT_DB * torch.randn(clips, 1, KNOTS, device=self._device, generator=self._generator)
        curve_db = F.interpolate(knots_db, MEL_BANDS, mode="linear", align_corners=True)[:, 0]
        gain_db = curve_db * self._some(clips, EQUALISED_CHANCE)
        above = (self._band - self._between(clips, LOW_PASS_FIRST_BAND, MEL_BANDS)).clamp(min=0)
        below = (self._between(clips, 0, HIGH_PASS_LAST_BAND) - self._band).clamp(min=0)
        gain_db -= LOW_PASS_DB * above * self._some(clips, LOW_PASS_CHANCE)
        gain_db -= HIGH_PASS_DB * below * self._some(clips, HIGH_PASS_CHANCE)
        return power * 10 ** (gain_db / 10)[:, None]

    def _reverberate(self, power: torch.Tensor) -> torch.Tensor:
        clips, frames, _ = power.shape
        decay_frames = self._between(clips, *ROOM_DECAY_S) * MEL_FRAMES_PER_S
        since_frames = torch.arange(TAIL_FRAMES, device=self._device)[None]
        tail = torch.exp(-DECAY_OF_60_DB * since_frames / decay_frames) * (since_frames > 0)
        share = ROOM_SHARE_MAX * self._draw(clips) ** 2 * self._some(clips, ROOM_CHANCE)
        room = share * tail / tail.sum(1, keepdim=True)
        room[:, 0] += 1
        fft_frames = 2 * frames
        spectrum = torch.fft.rfft(power, fft_frames, dim=1) * torch.fft.rfft(room, fft_frames, dim=1)[..., None]
        return torch.fft.irfft(spectrum, fft_frames, dim=1)[:, :frames].clamp(min=0)

    def _add_noise(self, power: torch.Tensor) -> torch.Tensor:
        clips = len(power)
        noise_share = 10 ** (self._between(clips, *NOISE_DB) / 10) * self._some(clips, NOISE_CHANCE)
        noise = torch.empty_like(power).exponential_(generator=self._generator)
        return power + noise_share[..., None] * power.mean((1, 2), keepdim=True) * noise

    def _compress(self, power: torch.Tensor) -> torch.Tensor:
        clips = len(power)
        loudness = power.mean(2)[:, None]
        level = F.avg_pool1d(loudness, LEVEL_FRAMES, 1, LEVEL_FRAMES // 2, count_include_pad=False)[:, 0]
        level = (level / (level.mean(1, keepdim=True) + POWER_FLOOR)).clamp(*LEVEL_RANGE)
        share = COMPRESSION_MAX * self._draw(clips) * self._some(clips, COMPRESSED_CHANCE)
        return power * (level**-share)[..., None]

    def _draw(self, clips: int) -> torch.Tensor:
        return torch.rand(clips, 1, device=self._device, generator=self._generator)

    def _between(self, clips: int, low: float, high: float) -> torch.Tensor:
        return low + (high - low) * self._draw(clips)

    def _some(self, clips: int, chance: float) -> torch.Tensor:
        return (self._draw(clips) < chance).float()


def shift_bands(mel: torch.Tensor, shift: int) -> torch.Tensor:
    """Shifts up by `shift` bands, or down; vacated bands are silent."""
    return F.pad(mel, (shift, -shift))


def vary_contrast(log_magnitudes: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Multiplies each clip's log magnitudes by a factor near 1, which changes its level and its dynamic range."""
    factor = 1 + CONTRAST_SPREAD * torch.randn(
        len(log_magnitudes), 1, 1, device=log_magnitudes.device, generator=generator
    )
    return log_magnitudes * factor


@torch.no_grad()
def distort_bands(mel: torch.Tensor, rng: random.Random, generator: torch.Generator) -> torch.Tensor:
    """A pitch shift of up to two bands, another contrast, silenced bands, a drop-out in time. The last two act on
    different halves of the batch."""
    clips, frames, bands = mel.shape
    mel = shift_bands(mel, rng.randrange(-SHIFT_BANDS_MAX, SHIFT_BANDS_MAX + 1))
    mel = vary_contrast(mel, generator)
    half = clips // 2
    if rng.random() < SILENCED_CHANCE:
        low = rng.randrange(0, bands - BANDS_ABOVE_MIN)
        mel[:half, :, low : low + rng.randrange(*SILENCED_BANDS)] = 0
    first = rng.randrange(0, frames - DROP_OUT_FRAMES[1])
    mel[half : half + DROP_OUT_CLIPS, first : first + rng.randrange(*DROP_OUT_FRAMES)] = 0
    return mel
