"""Cuts recordings into clips and labels their beats with a teacher network: `python -m earshot_training.recordings`.

A few hundred recordings have few tempi, so each is cut into clips of 30 s at its own speed and at seven others, drawn
between 0.8 and 1.25. The teacher labels each clip separately. Clips that are silent, have few beats or many uncertain
ones are left out. Thresholds, speeds and strides were set by hand. Needs soundfile, and what teacher.py needs.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from .composer.timeline import MEL_FRAMES
from .features import SAMPLE_RATE_HZ
from .render.sampler import CLIP_SAMPLES
from .render.spectra import Spectra
from .teacher import Teacher, spread_peaks

SPEED_COUNT, LOG_SPEED_MAX = 8, 0.22
STRIDE_S = 15
BATCH_CLIPS = 48
SURE_BEATS_MIN, SURE_PROBABILITY, UNSURE_PER_SURE_MAX = 18, 0.5, 0.45
RMS_MIN = 1e-3


def read_recording(path: Path) -> np.ndarray:
    import soundfile

    audio, rate_hz = soundfile.read(path, dtype="float32")
    if rate_hz != SAMPLE_RATE_HZ or audio.ndim != 1:
        raise ValueError(f"{path} is not mono at {SAMPLE_RATE_HZ} Hz")
    return audio


def cut_clips(audio: np.ndarray, rng: np.random.Generator) -> list[np.ndarray]:
    """Clips of 30 s: one every 15 s at the recording's own speed, one every 30 s at the others."""
    clips = []
    for index in range(SPEED_COUNT):
        speed = 1.0 if index == 0 else math.exp(rng.uniform(-LOG_SPEED_MAX, LOG_SPEED_MAX))
        needed_samples = math.ceil(CLIP_SAMPLES * speed)
        first_sample = 0 if index == 0 else int(rng.integers(0, STRIDE_S * SAMPLE_RATE_HZ))
        stride_samples = STRIDE_S * SAMPLE_RATE_HZ * (1 if index == 0 else 2)
        for start_sample in range(first_sample, len(audio) - needed_samples + 1, stride_samples):
            clip = torch.from_numpy(audio[start_sample : start_sample + needed_samples])[None, None]
            clips.append(F.interpolate(clip, CLIP_SAMPLES, mode="linear")[0, 0].numpy())
    return clips


def label(clips: list[np.ndarray], teacher: Teacher, device: str) -> dict[str, torch.Tensor]:
    """Log-mel frames and beat targets of the clips the teacher is sure of."""
    spectra = Spectra(device)
    mels, targets = [], []
    for first in range(0, len(clips), BATCH_CLIPS):
        audio = torch.from_numpy(np.stack(clips[first : first + BATCH_CLIPS])).to(device)
        beats, downbeats = teacher.find_beats(audio, MEL_FRAMES)
        sure_count = (beats > SURE_PROBABILITY).sum(1)
        unsure_count = (beats > 0).sum(1) - sure_count
        kept = (sure_count >= SURE_BEATS_MIN) & (unsure_count < UNSURE_PER_SURE_MAX * sure_count)
        kept &= audio.pow(2).mean(1).sqrt() > RMS_MIN
        mels.append(spectra.mel(audio)[kept, :MEL_FRAMES].half().cpu())
        targets.append(torch.stack([spread_peaks(beats), spread_peaks(downbeats)], 1)[kept].half().cpu())
    return {"mel": torch.cat(mels), "beats": torch.cat(targets)}


def load_recordings(paths: list[Path]) -> dict[str, torch.Tensor]:
    parts = [torch.load(path) for path in paths]
    return {name: torch.cat([part[name] for part in parts]) for name in ("mel", "beats")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--audio", type=Path, required=True, help="folder of mono files at 22.05 kHz")
    parser.add_argument("--teacher", type=Path, required=True, help="beat_this_small.onnx")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    rng = np.random.default_rng(5)
    files = sorted(path for path in arguments.audio.iterdir() if path.is_file())
    clips = [clip for path in files for clip in cut_clips(read_recording(path), rng)]
    labelled = label(clips, Teacher(arguments.teacher, arguments.device), arguments.device)
    torch.save(labelled, arguments.out)
    print(f"{len(labelled['mel'])} of {len(clips)} clips from {len(files)} recordings")


if __name__ == "__main__":
    main()
