"""Writes the shipped models' outputs for a generated input, as test vectors: `python -m earshot_training.vectors`.

Feature k of the input (counted over frames, then bands) is ((k * 7919) mod 1000) / 400. The vectors carry the weights'
SHA-256, so that a test can tell stale vectors from a wrong kernel.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np

from .container import read_model
from .features import MEL_BANDS, PITCH_BINS
from .inference import beat_logits, chord_logits

ENGINE = Path(__file__).parents[2] / "engine"
SHIPPED = {
    "beats": ENGINE / "models" / "beats-v3.bin",
    "chords": ENGINE / "models" / "chords-v2.bin",
    "voice": ENGINE / "models" / "voice-v3.bin",
}
VECTORS = ENGINE / "src" / "learned" / "fixtures" / "shipped-vectors.json"
FRAMES = 24
STRIDE, MODULUS, DIVISOR = 7919, 1000, 400
DECIMALS = 5


def generate_features(frames: int, bands: int) -> np.ndarray:
    index = np.arange(frames * bands, dtype=np.int64)
    return (index * STRIDE % MODULUS / DIVISOR).astype(np.float32).reshape(frames, bands)


def _rounded(values: np.ndarray) -> list:
    return np.round(values.astype(float), DECIMALS).tolist()


def main() -> None:
    hashes = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in SHIPPED.items()}
    beats = beat_logits(read_model(SHIPPED["beats"]), generate_features(FRAMES, MEL_BANDS))
    chords, key = chord_logits(read_model(SHIPPED["chords"]), generate_features(FRAMES, PITCH_BINS))
    voice = beat_logits(read_model(SHIPPED["voice"]), generate_features(FRAMES, MEL_BANDS))
    vectors = {
        "input": {"frames": FRAMES, "stride": STRIDE, "modulus": MODULUS, "divisor": DIVISOR},
        "beats": {"sha256": hashes["beats"], "beatLogits": _rounded(beats[0]), "downbeatLogits": _rounded(beats[1])},
        "chords": {"sha256": hashes["chords"], "chordLogits": _rounded(chords), "keyLogits": _rounded(key)},
        "voice": {"sha256": hashes["voice"], "voiceLogits": _rounded(voice[0])},
    }
    VECTORS.write_text(json.dumps(vectors, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
