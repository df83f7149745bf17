"""Renders clips and computes what the networks see and should say."""

from __future__ import annotations

import numpy as np
import torch

from .composer.compose import Clip
from .composer.harmony import UNSCORED
from .render.mixer import Mixer
from .render.sampler import Sampler
from .render.spectra import Spectra
from .sounds.bank import SoundBank
from .targets import MEL_FRAMES, PITCH_FRAMES


class Studio:
    def __init__(self, bank: SoundBank, device: str, seed: int) -> None:
        self.device = device
        self.sampler = Sampler(bank.waveforms, device)
        self.mixer = Mixer(device, torch.Generator(device).manual_seed(seed))
        self.spectra = Spectra(device)

    @torch.no_grad()
    def play(self, clips: list[Clip]) -> torch.Tensor:
        return torch.nan_to_num(self.mixer.mix(self.sampler.play([clip.events for clip in clips]), clips))

    @torch.no_grad()
    def record(self, clips: list[Clip], beats: np.ndarray) -> tuple[torch.Tensor, ...]:
        """(log-mel, beats, pitch, chords, keys), as ClipPool takes them."""
        audio = self.play(clips)
        mel, pitch = self.spectra.mel(audio)[:, :MEL_FRAMES], self.spectra.pitch(audio)[:, :PITCH_FRAMES]
        chords = np.stack([clip.chord_labels for clip in clips])
        keys = np.array([UNSCORED if clip.key_label is None else clip.key_label for clip in clips])
        return (
            mel,
            torch.from_numpy(beats).to(self.device),
            pitch,
            *(torch.from_numpy(a).to(self.device) for a in (chords, keys)),
        )
