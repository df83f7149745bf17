"""The two networks. Their exported form, with batch norms folded away, is described in README.md.

Both are offline (they see the future) and sized for a CPU: about 15 and 8 million multiply-adds per second of audio.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from .features import MEL_BANDS, PITCH_BINS

BEAT_OUTPUTS = 2
"""Beat, downbeat."""
OCTAVES, PITCH_CLASSES = PITCH_BINS // 24, 12


class DilatedPair(nn.Module):
    """A residual block that looks at two time scales at once, as in Böck and Davies (ISMIR 2020)."""

    KERNEL = 5

    def __init__(self, channels: int, dilation: int, dropout: float) -> None:
        super().__init__()
        self.dilation, self.dropout = dilation, dropout
        self.near = nn.Conv1d(channels, channels, self.KERNEL)
        self.far = nn.Conv1d(channels, channels, self.KERNEL)
        self.norm = nn.BatchNorm1d(2 * channels)
        self.out = nn.Linear(2 * channels, channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, frames, channels = x.shape
        h = torch.cat([_tap_convolution(x, self.near, self.dilation), _tap_convolution(x, self.far, 2 * self.dilation)], -1)
        h = F.elu(self.norm(h.reshape(batch * frames, 2 * channels)).view(batch, frames, 2 * channels))
        if self.training and self.dropout > 0:
            kept = torch.rand(batch, 1, 2 * channels, device=x.device) > self.dropout
            h = h * kept.to(h.dtype) / (1 - self.dropout)
        return x + self.out(h)


def _tap_convolution(x: torch.Tensor, layer: nn.Conv1d, dilation: int) -> torch.Tensor:
    """A dilated convolution over (batch, frames, channels) as one matrix product: cuDNN is slow at wide dilations."""
    taps = layer.weight.shape[2]
    reach = dilation * (taps // 2)
    frames = x.shape[1]
    padded = F.pad(x, (0, 0, reach, reach))
    stacked = torch.cat([padded[:, i * dilation : i * dilation + frames] for i in range(taps)], -1)
    return F.linear(stacked, layer.weight.permute(0, 2, 1).reshape(layer.weight.shape[0], -1), layer.bias)


class BeatNetwork(nn.Module):
    """(batch, frames, 81) -> logits (batch, 2, frames)

    The longest dilation is chosen so that the last block's taps still fall inside a 30-second training clip: longer ones would
    be trained on padding alone and then meet real music in a whole song.
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
        x = self.input_norm(mel[:, None])
        x = self.norm1(_single_channel_convolution(x[:, 0], self.conv1))
        # Pooling before the activation is the same (both are monotonic) and three times cheaper.
        x = F.dropout(F.elu(F.max_pool2d(x, (1, 3))), self.dropout, self.training)
        x = F.dropout(F.elu(F.max_pool2d(self.norm2(self.conv2(x)), (1, 3))), self.dropout, self.training)
        x = F.elu(self.norm3(self.conv3(x)))[..., 0].transpose(1, 2)
        for block in self.blocks:
            x = block(x)
        return self.output(F.elu(self.hidden(F.elu(x)))).transpose(1, 2)


def _single_channel_convolution(x: torch.Tensor, layer: nn.Conv2d) -> torch.Tensor:
    """3x3 convolution of (batch, frames, bands) as a matrix product over nine shifted copies, channels last in memory."""
    frames, bands = x.shape[1:]
    padded = F.pad(x, (1, 1, 1, 1))
    shifted = torch.stack([padded[:, i : i + frames, j : j + bands] for i in range(3) for j in range(3)], -1)
    return F.linear(shifted, layer.weight.reshape(-1, 9), layer.bias).permute(0, 3, 1, 2)


class ChordNetwork(nn.Module):
    """(batch, frames, 144) -> chord logits (batch, 25, frames), key logits (batch, 24)

    After the octaves are folded every layer is a circular convolution over the twelve pitch classes, so a chord learned on one root is
    known on all (transposing the input rotates the output). Classes: 12 major roots from C, 12 minor, no chord.
    """

    def __init__(
        self, front_channels: int = 8, channels: int = 16, dilations: tuple[int, ...] = (1, 3, 8, 20), dropout: float = 0.1
    ) -> None:
        super().__init__()
        self.hyper = {"frontChannels": front_channels, "channels": channels, "dilations": list(dilations)}
        self.dilations = dilations
        self.dropout = dropout
        self.input_norm = nn.BatchNorm2d(1)
        self.conv1 = nn.Conv2d(1, front_channels, (3, 5), padding=(1, 2))
        self.norm1 = nn.BatchNorm2d(front_channels)
        self.conv2 = nn.Conv2d(front_channels, front_channels, (3, 5), padding=(1, 2))
        self.norm2 = nn.BatchNorm2d(front_channels)
        self.conv3 = nn.Conv2d(front_channels, front_channels, (1, 13), padding=(0, 6))
        self.norm3 = nn.BatchNorm2d(front_channels)
        self.fold = nn.Conv2d(front_channels * OCTAVES, channels, (1, PITCH_CLASSES))
        self.fold_norm = nn.BatchNorm1d(channels)
        self.blocks = nn.ModuleList([nn.Conv2d(channels, channels, (3, PITCH_CLASSES)) for _ in dilations])
        self.block_norms = nn.ModuleList([nn.BatchNorm1d(channels) for _ in dilations])
        self.chord = nn.Linear(channels, 2)
        self.silence = nn.Linear(channels, 1)
        self.key_hidden = nn.Conv2d(channels, channels, (1, PITCH_CLASSES))
        self.key = nn.Linear(channels, 2)
        classes = torch.arange(PITCH_CLASSES)
        self.register_buffer("rotation", (classes[None] - classes[:, None]) % PITCH_CLASSES, persistent=False)

    def forward(self, pitch: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x = self.input_norm(pitch[:, None])
        x = self._drop(F.elu(self.norm1(self.conv1(x))))
        x = F.elu(F.max_pool2d(self.norm2(self.conv2(x)), (1, 2)))
        x = F.elu(self.norm3(self.conv3(x)))
        batch, channels, frames, _ = x.shape
        # (batch, frames, pitch class, channel and octave)
        x = x.view(batch, channels, frames, OCTAVES, PITCH_CLASSES).permute(0, 2, 4, 1, 3).flatten(3)
        x = self._drop(F.elu(_normalise(self._circular(x, self.fold, 1), self.fold_norm)))
        for convolution, norm, dilation in zip(self.blocks, self.block_norms, self.dilations):
            x = x + self._drop(F.elu(_normalise(self._circular(x, convolution, dilation), norm)))
        chords = self.chord(x).permute(0, 3, 2, 1).reshape(batch, 24, frames)
        silence = self.silence(x.mean(2)).transpose(1, 2)
        hidden = F.elu(self._circular(x.mean(1, keepdim=True), self.key_hidden, 1))
        key = self.key(hidden)[:, 0].transpose(1, 2).reshape(batch, 24)
        return torch.cat([chords, silence], 1), key

    def _drop(self, x: torch.Tensor) -> torch.Tensor:
        return F.dropout(x, self.dropout, self.training)

    def _circular(self, x: torch.Tensor, layer: nn.Conv2d, dilation: int) -> torch.Tensor:
        """Convolution over (frames, pitch classes) of (batch, frames, 12, channels), circular in pitch class.

        Written as one matrix product with the block-circulant matrix of the weights: the layer is tiny, and cuDNN would spend
        its time on the dilation and the wrapped edge.
        """
        batch, frames, _, channels = x.shape
        outputs, _, taps, _ = layer.weight.shape
        reach = dilation * (taps // 2)
        flat = F.pad(x.reshape(batch, frames, -1), (0, 0, reach, reach))
        stacked = torch.cat([flat[:, i * dilation : i * dilation + frames] for i in range(taps)], -1)
        # weight[o, c, t, p - q] placed at row (q, o), column (t, p, c): output class q reads input class p.
        matrix = layer.weight[..., self.rotation].permute(3, 0, 2, 4, 1).reshape(PITCH_CLASSES * outputs, -1)
        bias = layer.bias.repeat(PITCH_CLASSES)
        return F.linear(stacked, matrix, bias).view(batch, frames, PITCH_CLASSES, outputs)


def _normalise(x: torch.Tensor, norm: nn.BatchNorm1d) -> torch.Tensor:
    return norm(x.reshape(-1, x.shape[-1])).view(x.shape)
