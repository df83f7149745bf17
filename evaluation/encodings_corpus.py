"""Makes a corpus of the same recordings in several encodings.

    python evaluation/encodings_corpus.py --songs DIR --out DIR [--seconds N] [--count N]

Takes N seconds of each audio file in DIR, from half a minute on, and writes them as WAV, as MP3 at 128 kbit/s, as Ogg Vorbis at 128 and 64 kbit/s, and
as Opus at 64 kbit/s, each with an annotation that names the recording. Needs ffmpeg.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from pathlib import Path

ENCODINGS = {
    "128.mp3": ["-b:a", "128k"],
    "128.ogg": ["-c:a", "libvorbis", "-q:a", "4"],
    "64.ogg": ["-c:a", "libvorbis", "-q:a", "0"],
    "64.opus": ["-c:a", "libopus", "-b:a", "64k"],
}
# Chosen: most introductions are over by then.
START_SECONDS = 30
AUDIO = {".mp3", ".ogg", ".wav", ".flac", ".opus", ".m4a"}


def convert(source: Path, target: Path, *options: str) -> None:
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", str(source), *options, str(target)], check=True, stdin=subprocess.DEVNULL)


def annotate(audio: Path, recording: str, seconds: float) -> None:
    identity = audio.name.replace(".", "-")
    truth = {"id": identity, "audio": audio.name, "duration": seconds, "recording": recording}
    (audio.parent / f"{identity}.json").write_text(json.dumps(truth))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--songs", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--count", type=int, default=20)
    wanted = parser.parse_args()
    wanted.out.mkdir(parents=True, exist_ok=True)
    songs = [path for path in sorted(wanted.songs.iterdir()) if path.suffix in AUDIO][: wanted.count]
    for song in songs:
        plain = wanted.out / f"{song.stem}.wav"
        convert(song, plain, "-ss", str(START_SECONDS), "-t", str(wanted.seconds), "-ar", "44100")
        annotate(plain, song.stem, wanted.seconds)
        for ending, options in ENCODINGS.items():
            coded = wanted.out / f"{song.stem}.{ending}"
            convert(plain, coded, *options)
            annotate(coded, song.stem, wanted.seconds)


if __name__ == "__main__":
    main()
