"""Writes composed clips and their annotations as an evaluation corpus: `python -m earshot_training.corpus --out DIR`.

`npm run evaluate -- --corpus DIR` in the root then scores the whole product on it. The clips are in styles that were
never trained on, with `--seen` in the training styles; their seeds were used in neither case.
"""

from __future__ import annotations

import argparse
import json
import wave
from pathlib import Path

import numpy as np
import torch

from .composer.compose import CHORD_FRAMES_PER_S, Clip
from .composer.harmony import NO_CHORD, UNSCORED
from .composer.styles import TRAINING_STYLES, VALIDATION_STYLES
from .composer.timeline import CLIP_S
from .features import SAMPLE_RATE_HZ
from .sounds.bank import load_sound_bank
from .stream import compose_batch
from .studio import Studio
from .validation import VALIDATION_BANK_OFFSET

# Below SEEDS_PER_RUN (stream.py), so unused in training.
CORPUS_SEED = 880_000_000
PITCH_CLASS_NAMES = ("C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B")
PEAK_SAMPLE = 0.9 * 32767


def annotate(clip: Clip, name: str) -> dict:
    """The annotations evaluation/src/score-song.ts reads. It skips a task whose field is absent, so none is null."""
    truth: dict = {
        "id": name,
        "audio": f"{name}.wav",
        "duration": CLIP_S,
        "style": clip.style,
        "chords": list_chords(clip.chord_labels),
    }
    if len(clip.beats_s) > 1:
        truth |= {
            "tempo_bpm": 60 / float(np.median(np.diff(clip.beats_s))),
            "beats": clip.beats_s,
            "downbeats": clip.downbeats_s,
            "time_signature": f"{clip.beats_per_bar}/4",
        }
    if clip.key_label is not None:
        truth["key"] = name_triad(clip.key_label)
    return truth


def name_triad(label: int) -> str:
    return f"{PITCH_CLASS_NAMES[label % 12]}:{'maj' if label < 12 else 'min'}"


def list_chords(labels: np.ndarray) -> list[dict]:
    names = {NO_CHORD: "N", UNSCORED: "X"}
    changes = [0, *(np.flatnonzero(np.diff(labels)) + 1).tolist(), len(labels)]
    return [
        {
            "start": first / CHORD_FRAMES_PER_S,
            "end": last / CHORD_FRAMES_PER_S,
            "label": names.get(int(labels[first])) or name_triad(int(labels[first])),
        }
        for first, last in zip(changes, changes[1:])
    ]


def write_wav(path: Path, audio: np.ndarray) -> None:
    samples = (audio / np.abs(audio).max() * PEAK_SAMPLE).astype("<i2")
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, SAMPLE_RATE_HZ, 0, "NONE", ""))
        file.writeframes(samples.tobytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seen", action="store_true", help="compose in the training styles instead")
    parser.add_argument("--clips-per-style", type=int, default=9)
    parser.add_argument("--palette", type=float, default=0.3, help="share of the synthesised one-shots to make")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    styles, offset = (TRAINING_STYLES, 0) if arguments.seen else (VALIDATION_STYLES, VALIDATION_BANK_OFFSET)
    bank = load_sound_bank(scale=arguments.palette, seed_offset=offset)
    studio = Studio(bank, arguments.device, CORPUS_SEED)
    names = []
    for style in styles:
        for index, clip in enumerate(compose_batch(bank, CORPUS_SEED, [style], arguments.clips_per_style)):
            name = f"{style.name}-{index}"
            write_wav(arguments.out / f"{name}.wav", studio.render([clip])[0].cpu().numpy())
            (arguments.out / f"{name}.json").write_text(json.dumps(annotate(clip, name)))
            names.append(name)
    print(f"{len(names)} clips in {arguments.out}")


if __name__ == "__main__":
    main()
