"""features.py in PyTorch, for batches of clips."""

from __future__ import annotations

import math

import torch

from .. import features


class Spectra:
    def __init__(self, device: str) -> None:
        self._mel_filters = torch.from_numpy(features.mel_filters()).to(device)
        self._pitch_filters = torch.from_numpy(features.pitch_filters()).to(device)
        self._mel_window = torch.from_numpy(features.hann(features.MEL_FFT_SAMPLES)).to(device)
        self._pitch_window = torch.from_numpy(features.hann(features.PITCH_FFT_SAMPLES)).to(device)

    def mel(self, audio: torch.Tensor) -> torch.Tensor:
        """(clips, samples) -> (clips, frames, 81)"""
        return _log_spectrogram(audio, features.MEL_HOP_SAMPLES, self._mel_window, self._mel_filters, features.MEL_GAIN)

    def pitch(self, audio: torch.Tensor) -> torch.Tensor:
        """(clips, samples) -> (clips, frames, 144)"""
        return _log_spectrogram(
            audio, features.PITCH_HOP_SAMPLES, self._pitch_window, self._pitch_filters, features.PITCH_GAIN
        )


def _log_spectrogram(
    audio: torch.Tensor, hop_samples: int, window: torch.Tensor, filters: torch.Tensor, gain: float
) -> torch.Tensor:
    audio = audio / (audio.pow(2).mean(-1, keepdim=True).sqrt() + features.RMS_FLOOR)
    fft_samples = len(window)
    spectrum = torch.stft(audio, fft_samples, hop_samples, window=window, pad_mode="reflect", return_complex=True)
    return torch.log1p(gain * torch.einsum("mf,bft->btm", filters, spectrum.abs() / math.sqrt(fft_samples)))
