"""Trains the voice network: `python -m earshot_training.voice --songs SONGS --music MUSIC --out FILE`.

SONGS is a checkout of github.com/UltraStar-Deluxe/songs: karaoke songs, each a folder with audio.mp3 or audio.ogg and song.txt,
which says when each note is sung. MUSIC holds instrumental music (any folder of .ogg; ours was Debian's singularity-music and
hyperrogue-music). Needs PyTorch, one GPU, and ffmpeg to decode.

A note ends where its vowel ends: gaps below a quarter of a second between notes count as voice. Songs play at their own speed
and at 1.22 of it, which moves pitch and formants to higher voices.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from .container import Model, write_model
from .export import export_beats
from .features import MEL_FRAMES_PER_S, MEL_GAIN, SAMPLE_RATE_HZ, mel_spectrogram
from .networks import BeatNetwork

SPEEDS = (1.0, 1.22)
GAP_S, MUSIC_S = 0.25, 60
STEPS, BATCH, CROP_FRAMES = 1600, 64, 500
# Twelve of the seventeen songs have one singer: all his songs together weigh about as much as the others'.
FREQUENT, FREQUENT_WEIGHT = "coulton", 0.35


def decode(path: Path, speed: float = 1.0, seconds: float | None = None) -> np.ndarray:
    filters = f"aresample=44100,asetrate={int(44100 * speed)},aresample={SAMPLE_RATE_HZ}"
    limit = [] if seconds is None else ["-t", str(seconds)]
    command = ["ffmpeg", "-v", "error", "-i", str(path), *limit, "-af", filters, "-ac", "1", "-ar", str(SAMPLE_RATE_HZ), "-f", "f32le", "-"]
    return np.frombuffer(subprocess.run(command, capture_output=True, check=True).stdout, np.float32)


def read_notes(text: str) -> list[list[float]]:
    """[start, end] in seconds of what is sung, of an UltraStar song.txt."""
    header = dict(re.findall(r"^#(\w+):(.*?)\s*$", text, re.M))
    beat_s = 15 / float(header["BPM"].replace(",", "."))
    start_s = float(header.get("GAP", "0").replace(",", ".")) / 1000
    notes = re.findall(r"^[:*FRG] (-?\d+) (\d+) ", text, re.M)
    spans: list[list[float]] = []
    for start, end in sorted((start_s + int(a) * beat_s, start_s + (int(a) + int(n)) * beat_s) for a, n in notes):
        if spans and start - spans[-1][1] < GAP_S:
            spans[-1][1] = max(end, spans[-1][1])
        else:
            spans.append([start, end])
    return spans


def load_songs(folder: Path) -> list[tuple[str, torch.Tensor, torch.Tensor]]:
    songs = []
    for text in sorted(folder.rglob("song.txt")):
        audio = next((p for p in (text.with_name("audio.ogg"), text.with_name("audio.mp3")) if p.exists()), None)
        if audio is None:
            continue
        spans = read_notes(text.read_text("utf-8-sig", "replace"))
        for speed in SPEEDS:
            mel = mel_spectrogram(decode(audio, speed))
            sung = np.zeros(len(mel), np.float32)
            for start, end in spans:
                sung[int(start / speed * MEL_FRAMES_PER_S) : int(end / speed * MEL_FRAMES_PER_S) + 1] = 1
            songs.append((text.parent.name.lower(), torch.tensor(mel), torch.tensor(sung)))
    return songs


def magnitudes(log_mel: torch.Tensor) -> torch.Tensor:
    return torch.expm1(log_mel) / MEL_GAIN


def make_batch(rng, songs, music, weights, level: float, device) -> tuple[torch.Tensor, torch.Tensor]:
    def crop(*tensors):
        first = rng.integers(0, len(tensors[0]) - CROP_FRAMES)
        return [t[first : first + CROP_FRAMES] for t in tensors]

    chosen = [crop(*songs[i][1:]) for i in rng.choice(len(songs), BATCH, p=weights)]
    x = magnitudes(torch.stack([mel for mel, _ in chosen]).to(device))
    y = torch.stack([sung for _, sung in chosen]).to(device)
    other = magnitudes(torch.stack([crop(music[rng.integers(len(music))])[0] for _ in range(BATCH)]).to(device))
    draw = lambda *shape: torch.rand(BATCH, *shape, device=device)  # noqa: E731
    # A third as they are, the others over instrumental music, a sixth without the song.
    gain = torch.where(draw(1, 1) < 0.35, 0.0, 10 ** (0.1 - 1.2 * draw(1, 1)))
    alone = (draw(1, 1) < 0.17).float()
    x = torch.sqrt(x**2 + (gain * other) ** 2) * (1 - alone) + other * alone
    y = y * (1 - alone[:, :, 0])
    tilt = 0.35 * torch.randn(BATCH, 1, 1, device=device) * torch.linspace(-1, 1, x.shape[2], device=device)
    bumps = F.interpolate(0.25 * torch.randn(BATCH, 1, 6, device=device), x.shape[2], mode="linear")
    x = x * torch.exp(tilt + bumps)
    x = x / (x.square().mean((1, 2), keepdim=True).sqrt() + 1e-6) * level * torch.exp(0.4 * torch.randn(BATCH, 1, 1, device=device))
    return torch.log1p(MEL_GAIN * torch.roll(x, int(rng.integers(-4, 5)), 2)), y


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--songs", required=True, type=Path)
    parser.add_argument("--music", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    wanted = parser.parse_args()
    songs = load_songs(wanted.songs)
    music = [torch.tensor(mel_spectrogram(decode(p, seconds=MUSIC_S))) for p in sorted(wanted.music.rglob("*.ogg"))]
    music = [mel for mel in music if len(mel) > 2 * CROP_FRAMES]
    weights = np.array([FREQUENT_WEIGHT if FREQUENT in name else 1.0 for name, *_ in songs])
    level = float(torch.cat([magnitudes(mel[::37]) for _, mel, _ in songs]).square().mean().sqrt())
    device, rng = "cuda", np.random.default_rng(1)
    torch.manual_seed(1)
    network = BeatNetwork(8, 16, 6, 0.15).to(device)
    optimiser = torch.optim.AdamW(network.parameters(), 2e-3, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, STEPS)
    for step in range(STEPS):
        x, y = make_batch(rng, songs, music, weights / weights.sum(), level, device)
        loss = F.binary_cross_entropy_with_logits(network(x)[:, 0], 0.9 * y + 0.05)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        if step % 100 == 99:
            print(step + 1, round(loss.item(), 3), flush=True)
    model = export_beats(network.eval(), "1")
    tensors = {**model.tensors, "output.weight": model.tensors["output.weight"][:1], "output.bias": model.tensors["output.bias"][:1]}
    write_model(wanted.out, Model("voice", "1", {**model.architecture, "outputs": ["voice"]}, tensors))


if __name__ == "__main__":
    main()
