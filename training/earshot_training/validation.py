"""Quick scores on held-out clips, to follow a run. To compare networks, use the product's evaluator (README.md)."""

from __future__ import annotations

from multiprocessing.pool import Pool

import numpy as np
import torch

from .composer.harmony import UNSCORED
from .composer.styles import TRAINING_STYLES, VALIDATION_STYLES
from .composer.timeline import MEL_FRAMES
from .scoring import score_beats
from .sounds.bank import SoundBank, load_sound_bank
from .stream import SEEDS_PER_BATCH, compose_batch
from .studio import Studio
from .targets import stack_beat_targets

# Below SEEDS_PER_RUN, so unused in training; the offset keeps the seeds of the one-shots apart as well.
VALIDATION_SEED = 77_000_000
VALIDATION_BANK_OFFSET = 500_000
# About 200 clips for each of the two sets.
BATCHES = 6


class Validation:
    """Held-out clips: the training styles with unused seeds, and styles and one-shots never trained on."""

    def __init__(self, training_bank: SoundBank, device: str, pool: Pool, scale: float) -> None:
        other_bank = load_sound_bank(pool, scale=scale, seed_offset=VALIDATION_BANK_OFFSET)
        self.sets = {}
        for name, bank, styles in (
            ("seen styles", training_bank, TRAINING_STYLES),
            ("unseen styles", other_bank, VALIDATION_STYLES),
        ):
            studio = Studio(bank, device, VALIDATION_SEED)
            clip_batches = [compose_batch(bank, VALIDATION_SEED + SEEDS_PER_BATCH * i, styles) for i in range(BATCHES)]
            self.sets[name] = [
                (clips, studio.render_examples(clips, stack_beat_targets(clips, MEL_FRAMES))) for clips in clip_batches
            ]

    @torch.no_grad()
    def score_beats(self, network: torch.nn.Module) -> dict[str, dict[str, object]]:
        network.eval()
        table = {}
        for name, batches in self.sets.items():
            rows = {}
            for clips, (mel, *_) in batches:
                activations = torch.sigmoid(network(mel).float()).cpu().numpy()
                for clip, (beat, downbeat) in zip(clips, activations):
                    rows.setdefault(clip.style, []).append(score_beats(clip, beat, downbeat))
            every = [scores for of_style in rows.values() for scores in of_style]
            table[name] = _mean_pair(every, "beat F", "downbeat F")
            table[name]["by style"] = {
                style: [round(float(v), 3) for v in np.mean(s, 0)] for style, s in sorted(rows.items())
            }
        return table

    @torch.no_grad()
    def score_chords(self, network: torch.nn.Module) -> dict[str, dict[str, float]]:
        network.eval()
        table = {}
        for name, batches in self.sets.items():
            rows = []
            for clips, (_, _, pitch, chords, keys) in batches:
                chord_logits, key_logits = network(pitch)
                scored = chords != UNSCORED
                hits = chord_logits.argmax(1) == chords
                for index in range(len(clips)):
                    if scored[index].any() and keys[index] != UNSCORED:
                        share = hits[index].sum() / scored[index].sum()
                        rows.append((share.item(), float(key_logits[index].argmax() == keys[index])))
            table[name] = _mean_pair(rows, "chord frames", "key")
        return table


def _mean_pair(rows: list[tuple[float, float]], first: str, second: str) -> dict[str, float]:
    means = np.mean(rows, 0)
    return {first: round(float(means[0]), 4), second: round(float(means[1]), 4), "clips": len(rows)}
