"""What happens to music on its way to a listener, done to log-mel frames as they are drawn: other every time."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from .features import MEL_BANDS, MEL_FRAMES_PER_S

KNOTS = 6
TAIL_FRAMES = 100
LEVEL_BAND_FRAMES = 11


class Distortion:
    def __init__(self, device: str, seed: int) -> None:
        self._device = device
        self._generator = torch.Generator(device).manual_seed(seed)
        self._band = torch.arange(MEL_BANDS, device=device)[None]

    @torch.no_grad()
    def __call__(self, mel: torch.Tensor) -> torch.Tensor:
        """(clips, frames, 81), log(1 + magnitude), and so the answer."""
        power = torch.expm1(mel.clamp(min=0)).pow(2)
        loudness = power.mean((1, 2), keepdim=True)
        power = self._compress(self._add_noise(self._reverberate(self._equalise(power))))
        power = power * loudness / (power.mean((1, 2), keepdim=True) + 1e-9)
        return torch.log1p(power.clamp(min=0).sqrt())

    def _equalise(self, power: torch.Tensor) -> torch.Tensor:
        """Six free knots of 4 dB; sometimes a slope at either end, as small loudspeakers and low bit rates have."""
        clips = len(power)
        knots = 4 * torch.randn(clips, 1, KNOTS, device=self._device, generator=self._generator)
        gain_db = F.interpolate(knots, MEL_BANDS, mode="linear", align_corners=True)[:, 0] * self._some(clips, 0.75)
        above = (self._band - (38 + 43 * self._draw(clips))).clamp(min=0)
        below = (22 * self._draw(clips) - self._band).clamp(min=0)
        gain_db -= 8 * above * self._some(clips, 0.3) + 4 * below * self._some(clips, 0.2)
        return power * 10 ** (gain_db / 10)[:, None]

    def _reverberate(self, power: torch.Tensor) -> torch.Tensor:
        clips, frames, _ = power.shape
        decay_frames = (0.15 + 1.5 * self._draw(clips)) * MEL_FRAMES_PER_S
        time = torch.arange(TAIL_FRAMES, device=self._device)[None]
        tail = torch.exp(-13.8 * time / decay_frames) * (time > 0)
        room = 0.8 * self._draw(clips) ** 2 * self._some(clips, 0.35) * tail / tail.sum(1, keepdim=True)
        room[:, 0] += 1
        size = 2 * frames
        spectrum = torch.fft.rfft(power, size, dim=1) * torch.fft.rfft(room, size, dim=1)[..., None]
        return torch.fft.irfft(spectrum, size, dim=1)[:, :frames].clamp(min=0)

    def _add_noise(self, power: torch.Tensor) -> torch.Tensor:
        clips = len(power)
        level = 10 ** ((-48 + 34 * self._draw(clips)) / 10) * self._some(clips, 0.5)
        noise = torch.empty_like(power).exponential_(generator=self._generator)
        return power + level[..., None] * power.mean((1, 2), keepdim=True) * noise

    def _compress(self, power: torch.Tensor) -> torch.Tensor:
        level = F.avg_pool1d(power.mean(2)[:, None], LEVEL_BAND_FRAMES, 1, LEVEL_BAND_FRAMES // 2)[:, 0]
        level = (level / (level.mean(1, keepdim=True) + 1e-9)).clamp(1e-3, 100)
        share = 0.8 * self._draw(len(power)) * self._some(len(power), 0.5)
        return power * (level**-share)[..., None]

    def _draw(self, clips: int) -> torch.Tensor:
        return torch.rand(clips, 1, device=self._device, generator=self._generator)

    def _some(self, clips: int, chance: float) -> torch.Tensor:
        return (self._draw(clips) < chance).float()
