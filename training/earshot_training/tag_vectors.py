"""Writes the published taggers' outputs for a generated sound, for the engine's tests.

`python -m earshot_training.tag_vectors FOLDER`. FOLDER holds the weights (taggers.py) and reference.py: musicnn in
numpy with its published filters and front end, written for this project. Both are in the project's folder shared/tags,
which is not part of this repository. engine/src/tags/tagger.test.ts generates the same sound. The Jamendo network has
no reference file; `jamendo_tags` follows its authors' code, but reads every second band, as the engine does.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

FIXTURE = Path(__file__).parents[2] / "engine" / "src" / "tags" / "fixtures" / "tag-vectors.json"
# 187 hops and one window: 188 frames, a patch of the Jamendo network.
RATE_HZ, SOUND_SAMPLES, HOP_SAMPLES, WINDOW_SAMPLES = 16_000, 48_384, 256, 512
# A quarter of a second.
NOTE_SAMPLES = RATE_HZ // 4
BAND_STEP = 2
DECIMALS = 6


def generate_sound(kind: int) -> np.ndarray:
    """Three partials of a note that changes four times a second, and noise that decays after each change."""
    n = np.arange(SOUND_SAMPLES)
    note = n // NOTE_SAMPLES
    note_hz = 110.0 * (1 + kind) * 2 ** ((note * 5 % 12) / 12)
    tone = sum(np.sin(2 * np.pi * note_hz * h * n / RATE_HZ) / h for h in (1, 2, 3))
    noise = ((n * 7_919 + kind * 104_729) % 65_537) / 32_768.5 - 1
    return 0.2 * tone + 0.3 * noise * np.exp(-(n % NOTE_SAMPLES) / 600.0)


def jamendo_tags(stored: np.lib.npyio.NpzFile, samples: np.ndarray) -> np.ndarray:
    w = {name: stored[name].astype(np.float64) for name in stored.files}

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        scale = w[f"{name}.weight"] / np.sqrt(w[f"{name}.running_var"] + 1e-5)
        return (x - w[f"{name}.running_mean"]) * scale + w[f"{name}.bias"]

    hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW_SAMPLES) / WINDOW_SAMPLES)
    power = np.abs(np.fft.rfft(sliding_window_view(samples, WINDOW_SAMPLES)[::HOP_SAMPLES] * hann)) ** 2
    x = norm(10 * np.log10(np.maximum(power @ w["spec.mel_scale.fb"], 1e-10)), "spec_bn")
    front = []
    for i in (0, 1):
        kernel = w[f"layers.{i}.conv.weight"][:, 0].transpose(2, 1, 0)
        windows = sliding_window_view(np.pad(x, ((3, 3), (0, 0))), kernel.shape[:2])[:, ::BAND_STEP]
        products = windows.reshape(*windows.shape[:2], -1) @ kernel.reshape(-1, kernel.shape[2])
        response = products + w[f"layers.{i}.conv.bias"]
        front.append(np.maximum(norm(response, f"layers.{i}.bn"), 0).max(1))
    for i in (2, 3, 4):
        kernel = w[f"layers.{i}.conv.weight"][:, 0].T
        windows = sliding_window_view(np.pad(x.mean(1), len(kernel) // 2), len(kernel))
        front.append(np.maximum(norm(windows @ kernel + w[f"layers.{i}.conv.bias"], f"layers.{i}.bn"), 0))
    rows = [np.concatenate(front, 1)]
    for i in (1, 2, 3):
        padded = np.pad(rows[-1], ((3, 3), (0, 0)))
        kernel = w[f"layer{i}.conv.weight"]
        response = sum(padded[j : j + len(x)] @ kernel[:, :, j].T for j in range(7)) + w[f"layer{i}.conv.bias"]
        rows.append(np.maximum(norm(response, f"layer{i}.bn"), 0) + (rows[-1] if i > 1 else 0))
    channels = np.concatenate(rows, 1)
    pooled = np.concatenate([channels.max(0), channels.mean(0)])
    hidden = np.maximum(norm(w["dense1.weight"] @ pooled + w["dense1.bias"], "bn"), 0)
    return 1 / (1 + np.exp(-(w["dense2.weight"] @ hidden + w["dense2.bias"])))


def main() -> None:
    folder = Path(sys.argv[1])
    spec = importlib.util.spec_from_file_location("reference", folder / "reference.py")
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    musicnn = reference.Musicnn(str(folder / "MSD_musicnn.npz"))
    jamendo = np.load(folder / "jamendo_musicnn.npz")
    vectors = []
    for kind in (0, 1):
        sound = generate_sound(kind)
        # The reference pads a clip; its frames from the second on are those of the sound itself.
        msd = musicnn.tags(reference.log_mel(sound)[1 : 1 + reference.FRAMES])
        tags = {"msd": msd, "jamendo": jamendo_tags(jamendo, sound)}
        vectors.append({"kind": kind, **{name: np.round(values, DECIMALS).tolist() for name, values in tags.items()}})
    FIXTURE.write_text(json.dumps(vectors, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
