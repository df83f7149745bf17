"""Scores exported models on composed clips, style by style: `python -m earshot_training.evaluate`.

Runs the exported half-precision weights with the numpy inference, on seeds and, for the unseen styles, one-shots that
training never used. Beats are picked as peaks without a tempo model, so the figures only rank networks; the product is
scored on real songs by `npm run evaluate`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch

from .composer.compose import Clip
from .composer.harmony import UNSCORED
from .composer.style import Style
from .composer.styles import TRAINING_STYLES, VALIDATION_STYLES
from .composer.timeline import MEL_FRAMES
from .container import Model, read_model
from .inference import beat_logits, chord_logits, sigmoid
from .scoring import score_beats
from .sounds.bank import SoundBank, load_sound_bank
from .stream import compose_batch
from .studio import Studio
from .targets import stack_beat_targets
from .validation import VALIDATION_BANK_OFFSET
from .vectors import SHIPPED

# Below SEEDS_PER_RUN (stream.py), so unused in training.
EVALUATION_SEED = 990_000_000
# Bounds the memory of rendering on a CPU.
RENDERED_CLIPS = 4


def score_clip(beats: Model, chords: Model, clip: Clip, mel: np.ndarray, pitch: np.ndarray) -> tuple[float, ...]:
    """(beat F, downbeat F, share of chord frames right, 1 if the key is right); NaN where the clip has no answer."""
    beat, downbeat = sigmoid(beat_logits(beats, mel))
    chord, key = chord_logits(chords, pitch)
    scored = clip.chord_labels != UNSCORED
    return (
        *score_beats(clip, beat, downbeat),
        float((chord.argmax(0) == clip.chord_labels)[scored].mean()) if scored.any() else np.nan,
        float(key.argmax() == clip.key_label) if clip.key_label is not None else np.nan,
    )


def score_style(
    beats: Model, chords: Model, bank: SoundBank, studio: Studio, style: Style, count: int
) -> list[tuple[float, ...]]:
    rows = []
    clips = compose_batch(bank, EVALUATION_SEED, [style], count)
    for first in range(0, count, RENDERED_CLIPS):
        group = clips[first : first + RENDERED_CLIPS]
        mel, _, pitch, *_ = (
            t.cpu().numpy() for t in studio.render_examples(group, stack_beat_targets(group, MEL_FRAMES))
        )
        rows += [score_clip(beats, chords, clip, mel[i], pitch[i]) for i, clip in enumerate(group)]
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--beats", type=Path, default=SHIPPED["beats"])
    parser.add_argument("--chords", type=Path, default=SHIPPED["chords"])
    parser.add_argument("--clips-per-style", type=int, default=8)
    parser.add_argument("--palette", type=float, default=0.3, help="share of the synthesised one-shots to make")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    beats, chords = read_model(arguments.beats), read_model(arguments.chords)
    for title, styles, offset in (
        ("training styles", TRAINING_STYLES, 0),
        ("styles never trained on", VALIDATION_STYLES, VALIDATION_BANK_OFFSET),
    ):
        bank = load_sound_bank(scale=arguments.palette, seed_offset=offset)
        studio = Studio(bank, arguments.device, EVALUATION_SEED)
        every = []
        print(f"{title:24} beat F  downbeat F  chords  key")
        for style in styles:
            rows = score_style(beats, chords, bank, studio, style, arguments.clips_per_style)
            every += rows
            print_row(style.name, rows)
        print_row("all", every)


def print_row(name: str, rows: list[tuple[float, ...]]) -> None:
    columns = np.array(rows, float).T
    means = [np.nanmean(column) if not np.isnan(column).all() else np.nan for column in columns]
    print(f"{name:24} {means[0]:6.3f}  {means[1]:10.3f}  {means[2]:6.3f}  {means[3]:.2f}", flush=True)


if __name__ == "__main__":
    main()
