"""Cuts recordings without annotations into clips with a teacher's beats: `python -m earshot_training.recordings`.

Every recording is cut into clips of 30 s at its own speed and at seven others, drawn between four fifths and five
fourths, since a few hundred recordings have few tempi. The teacher hears each clip by itself. Clips in which it hears
few beats, or is unsure of many, are left out. Thresholds, speeds and strides are chosen.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from .features import SAMPLE_RATE_HZ
from .render.sampler import CLIP_SAMPLES
from .render.spectra import Spectra
from .targets import MEL_FRAMES
from .teacher import Teacher, spread_peaks

SPEED_COUNT, LOG_SPEED_MAX = 8, 0.22
STRIDE_S = 15
BATCH_CLIPS = 48
FEWEST_BEATS, SURE_CHANCE, UNSURE_SHARE = 18, 0.5, 0.45
QUIETEST_RMS = 1e-3


def cut_clips(audio: np.ndarray, dice: np.random.Generator) -> list[np.ndarray]:
    clips = []
    for index in range(SPEED_COUNT):
        speed = 1.0 if index == 0 else math.exp(dice.uniform(-LOG_SPEED_MAX, LOG_SPEED_MAX))
        needed_samples = math.ceil(CLIP_SAMPLES * speed)
        first = 0 if index == 0 else int(dice.integers(0, STRIDE_S * SAMPLE_RATE_HZ))
        stride_samples = STRIDE_S * SAMPLE_RATE_HZ * (1 if index == 0 else 2)
        for start in range(first, len(audio) - needed_samples, stride_samples):
            clip = torch.from_numpy(audio[start : start + needed_samples])[None, None]
            clips.append(F.interpolate(clip, CLIP_SAMPLES, mode="linear")[0, 0].numpy())
    return clips


def teach(clips: list[np.ndarray], teacher: Teacher, device: str) -> dict[str, torch.Tensor]:
    spectra = Spectra(device)
    mels, targets = [], []
    for first in range(0, len(clips), BATCH_CLIPS):
        audio = torch.from_numpy(np.stack(clips[first : first + BATCH_CLIPS])).to(device)
        beats, downbeats = teacher.hear(audio, MEL_FRAMES)
        sure = (beats > SURE_CHANCE).sum(1)
        unsure = (beats > 0).sum(1) - sure
        kept = (sure >= FEWEST_BEATS) & (unsure < UNSURE_SHARE * sure)
        kept &= audio.pow(2).mean(1).sqrt() > QUIETEST_RMS
        mels.append(spectra.mel(audio)[kept, :MEL_FRAMES].half().cpu())
        targets.append(torch.stack([spread_peaks(beats), spread_peaks(downbeats)], 1)[kept].half().cpu())
    return {"mel": torch.cat(mels), "beats": torch.cat(targets)}


def main() -> None:
    import soundfile

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--audio", type=Path, required=True, help="folder of mono files at 22.05 kHz")
    parser.add_argument("--teacher", type=Path, required=True, help="beat_this_small.onnx")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    dice = np.random.default_rng(5)
    files = sorted(path for path in arguments.audio.iterdir() if path.is_file())
    clips = [clip for path in files for clip in cut_clips(soundfile.read(path, dtype="float32")[0], dice)]
    taught = teach(clips, Teacher(arguments.teacher, arguments.device), arguments.device)
    torch.save(taught, arguments.out)
    print(f"{len(taught['mel'])} of {len(clips)} clips from {len(files)} recordings")


if __name__ == "__main__":
    main()
