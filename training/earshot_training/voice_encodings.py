"""Trains a voice network further for low bit rates: `python -m earshot_training.voice_encodings`.

In the first training the music had been through an encoder and the voices had not, so the network took coding noise as
evidence against a voice. Here the network is its own teacher: its target for an encoded mixture is its output for the
same mixture before encoding. SPEECH and MUSIC are as in voice.py, MUSIC without lossy encoding where possible. Needs
PyTorch (minutes on a CPU), pyworld, soundfile and ffmpeg. Shares, ranges and rates were set by hand.
"""

from __future__ import annotations

import argparse
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from .container import Model, read_model, write_model
from .distil import FoldedBeatNetwork
from .distortion import SHIFT_BANDS_MAX, shift_bands
from .features import MEL_BANDS, SAMPLE_RATE_HZ, mel_spectrogram
from .singing import analyse_word, sing, speak, split_words
from .voice import CLIP_FRAMES, CLIP_S, WORDS_MIN, read_audio

WORDS_MAX = 14
ENCODINGS_PER_CLIP = 3
ENCODERS = (
    *(("ogg", ["-c:a", "libvorbis", "-q:a", q]) for q in ("-1", "0", "1", "3")),
    *(("mp3", ["-c:a", "libmp3lame", "-b:a", rate]) for rate in ("48k", "64k", "96k", "128k")),
    *(("opus", ["-c:a", "libopus", "-b:a", rate]) for rate in ("24k", "40k", "64k")),
    *(("adts", ["-c:a", "aac", "-b:a", rate]) for rate in ("48k", "96k")),
)
# Larger logits are clipped: the network is sure either way.
LOGIT_MAX = 5.0
STEPS, BATCH_CLIPS = 260, 8
PEAK_RATE = 2e-3
STEPS_PER_REPORT = 130
# Share of the mixtures without a voice, and range of the level of a voice relative to the music.
VOICELESS_CHANCE, VOICE_DB = 0.2, (-9, 8)
# One clip in so many is held out, to report on.
CLIPS_PER_HELD_OUT = 8
STEREO_HZ = 44100


def run_ffmpeg(*arguments: str, audio: bytes) -> bytes:
    return subprocess.run(["ffmpeg", "-v", "error", *arguments], input=audio, capture_output=True, check=True).stdout


def to_mel(wav: bytes) -> np.ndarray:
    mono = run_ffmpeg("-i", "-", "-ac", "1", "-ar", str(SAMPLE_RATE_HZ), "-f", "f32le", "-", audio=wav)
    return mel_spectrogram(np.frombuffer(mono, np.float32))[:CLIP_FRAMES]


def encode(pcm: np.ndarray, container: str, options: list[str]) -> np.ndarray:
    """Log-mel frames of stereo audio after encoding and decoding."""
    raw = ["-f", "f32le", "-ar", str(STEREO_HZ), "-ac", "2", "-i", "-"]
    return to_mel(run_ffmpeg(*raw, *options, "-f", container, "-", audio=pcm.tobytes()))


def read_stereo(path: Path, start_s: float) -> np.ndarray:
    excerpt = ["-ss", f"{start_s:.2f}", "-t", str(CLIP_S), "-i", str(path)]
    pcm = ["-ac", "2", "-ar", str(STEREO_HZ), "-f", "f32le", "-"]
    try:
        return np.frombuffer(run_ffmpeg(*excerpt, *pcm, audio=b""), np.float32).reshape(-1, 2)
    except subprocess.CalledProcessError:
        # The track cannot be read, or ends before `start_s`.
        return np.empty((0, 2), np.float32)


def make_voices(path: Path, seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    spoken = split_words(read_audio(path))
    rng.shuffle(spoken)
    words = [word for word in map(analyse_word, spoken[:WORDS_MAX]) if word is not None]
    if len(words) < WORDS_MIN:
        return []
    return [sing(words, rng, CLIP_S), sing(words, rng, CLIP_S), speak(spoken, rng, CLIP_S)]


def mix(music: np.ndarray, voice: np.ndarray | None, rng: np.random.Generator) -> np.ndarray:
    """Stereo music at 44.1 kHz with a mono voice at 22.05 kHz laid over it, at half of full scale."""
    unit = music / (np.sqrt(np.square(music).mean()) + 1e-9)
    if voice is not None:
        sung = np.interp(np.arange(len(unit)) * SAMPLE_RATE_HZ / STEREO_HZ, np.arange(len(voice)), voice)
        gain = 10 ** (rng.uniform(*VOICE_DB) / 20) / (np.sqrt(np.square(sung).mean()) + 1e-9)
        side = rng.uniform(0.8, 1.25)
        unit = unit + gain * np.stack([side * sung, sung / side], 1)
    return (0.5 * unit / (np.abs(unit).max() + 1e-9)).astype(np.float32)


def make_clips(speech: Path, music: Path, count: int, seed: int) -> list[tuple[np.ndarray, list[np.ndarray]]]:
    """Log-mel frames of mixtures, each with those of the same mixture after a few encoders."""
    rng = np.random.default_rng(seed)
    tracks = sorted(music.iterdir())
    speakers = sorted(speech.iterdir())
    with ThreadPoolExecutor(2) as pool:
        voices = [clip for clips in pool.map(make_voices, speakers, range(len(speakers))) for clip in clips]

        def make(index: int):
            draw = np.random.default_rng([seed, index])
            pcm = read_stereo(tracks[index % len(tracks)], draw.uniform(5, 60))
            if len(pcm) < CLIP_S * STEREO_HZ * 0.99:
                return None
            voice = None if draw.random() < VOICELESS_CHANCE else voices[draw.integers(len(voices))]
            mixed = mix(pcm, voice, draw)
            chosen = draw.permutation(len(ENCODERS))[:ENCODINGS_PER_CLIP]
            return encode(mixed, "wav", ["-c:a", "pcm_f32le"]), [encode(mixed, *ENCODERS[k]) for k in chosen]

        made = [clip for clip in pool.map(make, range(count)) if clip is not None]
    rng.shuffle(made)
    return [(clean, coded) for clean, coded in made if all(len(mel) == CLIP_FRAMES for mel in (clean, *coded))]


def voice_logits(network: FoldedBeatNetwork, mel: torch.Tensor, logit_max: float = LOGIT_MAX) -> torch.Tensor:
    return network(mel)[:, 0].clamp(-logit_max, logit_max)


def train_on(model: Model, clips: list[tuple[np.ndarray, list[np.ndarray]]], steps: int, seed: int) -> Model:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    teacher, student = FoldedBeatNetwork(model).eval(), FoldedBeatNetwork(model)
    held_out = len(clips) // CLIPS_PER_HELD_OUT
    clean = torch.tensor(np.stack([mel for mel, _ in clips]))
    coded = torch.tensor(np.stack([np.stack(mels) for _, mels in clips]))
    with torch.no_grad():
        targets = torch.cat([voice_logits(teacher, part) for part in clean.split(BATCH_CLIPS)])
    optimiser = torch.optim.AdamW(student.parameters(), weight_decay=0)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, PEAK_RATE, steps)

    def report(step: int) -> None:
        with torch.no_grad():
            gaps = [voice_logits(student, coded[:held_out, k]) - targets[:held_out] for k in range(coded.shape[1])]
            clean_gap = voice_logits(student, clean[:held_out]) - targets[:held_out]
        for name, gap in (("encoded", torch.stack(gaps)), ("clean", clean_gap)):
            print(f"{step} {name}: shift {gap.mean():.3f}, rms {gap.square().mean().sqrt():.3f}", flush=True)

    for step in range(steps):
        if step % STEPS_PER_REPORT == 0:
            report(step)
        at = torch.tensor(rng.integers(held_out, len(clips), BATCH_CLIPS))
        which = torch.tensor(rng.integers(-1, coded.shape[1], BATCH_CLIPS))
        x = torch.where((which < 0)[:, None, None], clean[at], coded[at, which.clamp(min=0)])
        # The shipped weights were trained with a shift that wrapped the outermost bands around to the other end.
        shift = int(rng.integers(-SHIFT_BANDS_MAX, SHIFT_BANDS_MAX + 1))
        target = targets[at]
        if shift:
            x = shift_bands(x, shift)
            with torch.no_grad():
                target = voice_logits(teacher, shift_bands(clean[at], shift))
        loss = F.smooth_l1_loss(voice_logits(student, x, LOGIT_MAX + 1), target)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(student.parameters(), 1.0)
        optimiser.step()
        schedule.step()
    report(steps)
    return student.export(model, model.name, "3")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, type=Path)
    parser.add_argument("--speech", required=True, type=Path)
    parser.add_argument("--music", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--clips", type=int, default=240)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--seed", type=int, default=3)
    arguments = parser.parse_args()
    clips = make_clips(arguments.speech, arguments.music, arguments.clips, arguments.seed)
    print(len(clips), "clips of", CLIP_S, "s,", MEL_BANDS, "bands", flush=True)
    write_model(arguments.out, train_on(read_model(arguments.model), clips, arguments.steps, arguments.seed))


if __name__ == "__main__":
    main()
