"""The beat network and the chord and key network. Their exported form is described in README.md.

Both are non-causal (they see the future) and sized for a CPU: about 15 and 8 million multiply-adds per second of audio.
Tensors are (batch, frames, places, channels), where a place is a frequency band, a pitch or a pitch class; only the
front end of the beat network has (batch, channels, frames, bands).
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from .features import MEL_BANDS, PITCH_BINS

BEAT_OUTPUTS = 2
"""Beat and downbeat."""
PITCH_CLASSES = 12
OCTAVES = PITCH_BINS // (2 * PITCH_CLASSES)


class PlaneConvolution(nn.Module):
    """A convolution over (frames, places) of (batch, frames, places, channels), zero-padded or circular in place.

    Written as one matrix product with the banded (or block-circulant) matrix of its weights. On a GPU that is several
    times faster than cuDNN for so few channels, although most of the matrix is zero. Only the kernel is exported.
    """

    def __init__(
        self, inputs: int, outputs: int, taps: int, width: int, places: int, dilation: int = 1, circular: bool = False
    ) -> None:
        super().__init__()
        self.taps, self.places, self.dilation = taps, places, dilation
        self.kernel = nn.Conv2d(inputs, outputs, (taps, width))
        out_place, in_place = torch.arange(places)[:, None], torch.arange(places)[None]
        column = (in_place - out_place) % places if circular else in_place - out_place + width // 2
        # basis[w, q, p] is 1 where output place q reads input place p through the kernel's column w.
        basis = (column[None] == torch.arange(width)[:, None, None]).float()
        self.register_buffer("basis", basis, persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, frames = x.shape[:2]
        outputs = self.kernel.weight.shape[0]
        matrix = torch.einsum("octw,wqp->qotpc", self.kernel.weight, self.basis).reshape(self.places * outputs, -1)
        stacked = _stack_taps(x.reshape(batch, frames, -1), self.taps, self.dilation)
        return F.linear(stacked, matrix, self.kernel.bias.repeat(self.places)).view(batch, frames, self.places, outputs)


class TimeConvolution(nn.Module):
    """A dilated convolution of (batch, frames, channels) over time, as one matrix product."""

    def __init__(self, channels: int, taps: int, dilation: int) -> None:
        super().__init__()
        self.taps, self.dilation = taps, dilation
        self.kernel = nn.Conv1d(channels, channels, taps)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weight = self.kernel.weight
        return F.linear(_stack_taps(x, self.taps, self.dilation), weight.permute(0, 2, 1).flatten(1), self.kernel.bias)


def _stack_taps(x: torch.Tensor, taps: int, dilation: int) -> torch.Tensor:
    """(batch, frames, n) -> (batch, frames, taps * n): each frame with its neighbours under the kernel."""
    if taps == 1:
        return x
    frames, reach = x.shape[1], dilation * (taps // 2)
    padded = F.pad(x, (0, 0, reach, reach))
    return torch.cat([padded[:, i * dilation : i * dilation + frames] for i in range(taps)], -1)


class ChannelNorm(nn.Module):
    """Batch norm over the last dimension."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(x.reshape(-1, x.shape[-1])).view(x.shape)


def _pool_places(x: torch.Tensor, size: int) -> torch.Tensor:
    return x.unflatten(2, (-1, size)).amax(3)


class DilatedPair(nn.Module):
    """A residual block that looks at two time scales at once, as in Böck and Davies (ISMIR 2020)."""

    TAPS = 5

    def __init__(self, channels: int, dilation: int, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.near = TimeConvolution(channels, self.TAPS, dilation)
        self.far = TimeConvolution(channels, self.TAPS, 2 * dilation)
        self.norm = ChannelNorm(2 * channels)
        self.out = nn.Linear(2 * channels, channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = F.elu(self.norm(torch.cat([self.near(x), self.far(x)], -1)))
        if self.training and self.dropout > 0:
            # Whole channels are dropped for a whole clip, so that the network relies on no single time scale.
            kept = torch.rand(len(h), 1, h.shape[-1], device=x.device) > self.dropout
            h = h * kept.to(h.dtype) / (1 - self.dropout)
        return x + self.out(h)


class BeatNetwork(nn.Module):
    """(batch, frames, 81) -> logits (batch, 2, frames)

    The longest kernel of eight blocks spans 1,024 frames, which fit into a training clip of 30 seconds (1,500 frames).
    That of a ninth would span 2,048: at every frame of a clip some of its taps would read padding, unlike in a song.

    The front end is the one of the run that gave the shipped weights. Written with PlaneConvolution, in a run whose
    music had also changed, it learned less (README.md, "What was tried").
    """

    def __init__(self, front_channels: int = 16, channels: int = 48, blocks: int = 8, dropout: float = 0.1) -> None:
        super().__init__()
        self.hyper = {"frontChannels": front_channels, "channels": channels, "blocks": blocks}
        self.dropout = dropout
        self.input_norm = nn.BatchNorm2d(1)
        self.conv1 = nn.Conv2d(1, front_channels, 3)
        self.norm1 = nn.BatchNorm2d(front_channels)
        self.conv2 = nn.Conv2d(front_channels, front_channels, 3, padding=1)
        self.norm2 = nn.BatchNorm2d(front_channels)
        self.conv3 = nn.Conv2d(front_channels, channels, (1, MEL_BANDS // 9))
        self.norm3 = nn.BatchNorm2d(channels)
        self.blocks = nn.ModuleList([DilatedPair(channels, 2**i, dropout) for i in range(blocks)])
        self.hidden = nn.Linear(channels, channels)
        self.output = nn.Linear(channels, BEAT_OUTPUTS)

    def forward(self, mel: torch.Tensor) -> torch.Tensor:
        x = self.norm1(_convolve_single_channel(self.input_norm(mel[:, None])[:, 0], self.conv1))
        # Pooling before the activation is the same (both are monotonic) and three times cheaper.
        x = F.dropout(F.elu(F.max_pool2d(x, (1, 3))), self.dropout, self.training)
        x = F.dropout(F.elu(F.max_pool2d(self.norm2(self.conv2(x)), (1, 3))), self.dropout, self.training)
        x = F.elu(self.norm3(self.conv3(x)))[..., 0].transpose(1, 2)
        for block in self.blocks:
            x = block(x)
        return self.output(F.elu(self.hidden(F.elu(x)))).transpose(1, 2)


def _convolve_single_channel(x: torch.Tensor, layer: nn.Conv2d) -> torch.Tensor:
    """3x3 convolution of (batch, frames, bands) as a product over nine shifted copies, channels last in memory."""
    frames, bands = x.shape[1:]
    padded = F.pad(x, (1, 1, 1, 1))
    shifted = torch.stack([padded[:, i : i + frames, j : j + bands] for i in range(3) for j in range(3)], -1)
    return F.linear(shifted, layer.weight.reshape(-1, 9), layer.bias).permute(0, 3, 1, 2)


class ChordNetwork(nn.Module):
    """(batch, frames, 144) -> chord logits (batch, 25, frames), key logits (batch, 24)

    After the octaves are folded every layer is a circular convolution over the twelve pitch classes, so a chord
    learned on one root is known on all (transposing the input rotates the output). Classes: 12 major roots from C, 12
    minor, no chord.
    """

    def __init__(
        self,
        front_channels: int = 8,
        channels: int = 16,
        dilations: tuple[int, ...] = (1, 3, 8, 20),
        dropout: float = 0.05,
    ) -> None:
        super().__init__()
        self.hyper = {"frontChannels": front_channels, "channels": channels, "dilations": list(dilations)}
        self.dropout = dropout
        semitones = PITCH_BINS // 2
        self.input_norm = nn.BatchNorm1d(1)
        self.conv1 = PlaneConvolution(1, front_channels, 3, 5, PITCH_BINS)
        self.norm1 = ChannelNorm(front_channels)
        self.conv2 = PlaneConvolution(front_channels, front_channels, 3, 5, PITCH_BINS)
        self.norm2 = ChannelNorm(front_channels)
        self.conv3 = PlaneConvolution(front_channels, front_channels, 1, 13, semitones)
        self.norm3 = ChannelNorm(front_channels)
        circle = {"width": PITCH_CLASSES, "places": PITCH_CLASSES, "circular": True}
        self.fold = PlaneConvolution(front_channels * OCTAVES, channels, 1, **circle)
        self.fold_norm = ChannelNorm(channels)
        self.blocks = nn.ModuleList([PlaneConvolution(channels, channels, 3, dilation=d, **circle) for d in dilations])
        self.block_norms = nn.ModuleList([ChannelNorm(channels) for _ in dilations])
        self.chord = nn.Linear(channels, 2)
        self.silence = nn.Linear(channels, 1)
        self.key_hidden = PlaneConvolution(channels, channels, 1, **circle)
        self.key = nn.Linear(channels, 2)

    def forward(self, pitch: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x = self.input_norm(pitch.reshape(-1, 1)).view(*pitch.shape, 1)
        x = self._drop(F.elu(self.norm1(self.conv1(x))))
        x = F.elu(_pool_places(self.norm2(self.conv2(x)), 2))
        x = F.elu(self.norm3(self.conv3(x)))
        # (batch, frames, octave, pitch class, channel) -> (batch, frames, pitch class, channel * 6 + octave)
        x = x.unflatten(2, (OCTAVES, PITCH_CLASSES)).permute(0, 1, 3, 4, 2).flatten(3)
        x = self._drop(F.elu(self.fold_norm(self.fold(x))))
        for convolution, norm in zip(self.blocks, self.block_norms):
            x = x + self._drop(F.elu(norm(convolution(x))))
        chords = self.chord(x).permute(0, 3, 2, 1).flatten(1, 2)
        silence = self.silence(x.mean(2)).transpose(1, 2)
        key = self.key(F.elu(self.key_hidden(x.mean(1, keepdim=True))))[:, 0].transpose(1, 2).flatten(1)
        return torch.cat([chords, silence], 1), key

    def _drop(self, x: torch.Tensor) -> torch.Tensor:
        return F.dropout(x, self.dropout, self.training)
