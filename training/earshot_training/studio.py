"""Renders clips and turns them into training examples: the features the networks see and the targets."""

from __future__ import annotations

import numpy as np
import torch

from .composer.compose import Clip
from .composer.harmony import UNSCORED
from .composer.timeline import MEL_FRAMES, PITCH_FRAMES
from .render.mixer import Mixer
from .render.sampler import Sampler
from .render.spectra import Spectra
from .sounds.bank import SoundBank


class Studio:
    def __init__(self, bank: SoundBank, device: str, seed: int) -> None:
        self._device = device
        self._sampler = Sampler(bank.waveforms, device)
        self._mixer = Mixer(device, torch.Generator(device).manual_seed(seed))
        self._spectra = Spectra(device)

    @torch.no_grad()
    def render(self, clips: list[Clip]) -> torch.Tensor:
        """(clips, samples), at about unit RMS."""
        # A NaN would spread to every weight of a network.
        return torch.nan_to_num(self._mixer.mix(self._sampler.play([clip.events for clip in clips]), clips))

    @torch.no_grad()
    def render_examples(self, clips: list[Clip], beats: np.ndarray) -> tuple[torch.Tensor, ...]:
        """(log-mel, beats, pitch, chords, keys), as ClipPool takes them."""
        audio = self.render(clips)
        mel, pitch = self._spectra.mel(audio)[:, :MEL_FRAMES], self._spectra.pitch(audio)[:, :PITCH_FRAMES]
        chords = np.stack([clip.chord_labels for clip in clips])
        keys = np.array([UNSCORED if clip.key_label is None else clip.key_label for clip in clips])
        beats, chords, keys = (torch.from_numpy(targets).to(self._device) for targets in (beats, chords, keys))
        return mel, beats, pitch, chords, keys
