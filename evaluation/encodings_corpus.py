"""Makes a corpus of the same recordings in several encodings.

    python evaluation/encodings_corpus.py --songs DIR --out DIR [--seconds N] [--count N]

Writes N seconds of each audio file in DIR, starting at 0:30, as WAV, MP3 at 128 kbit/s, Ogg Vorbis at about 128 and 64 kbit/s, and Opus at 64 kbit/s, each
with an annotation that names the recording. The files must last N + 30 seconds. Needs ffmpeg.
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
# Most introductions have ended by then.
START_SECONDS = 30
AUDIO_SUFFIXES = {".mp3", ".ogg", ".wav", ".flac", ".opus", ".m4a"}


def convert(source: Path, target: Path, *options: str) -> None:
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", str(source), *options, str(target)], check=True, stdin=subprocess.DEVNULL)


def annotate(audio: Path, recording: str, duration_seconds: float) -> None:
    identity = audio.name.replace(".", "-")
    truth = {"id": identity, "audio": audio.name, "duration": duration_seconds, "recording": recording}
    (audio.parent / f"{identity}.json").write_text(json.dumps(truth))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--songs", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--count", type=int, default=20)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    songs = [path for path in sorted(args.songs.iterdir()) if path.suffix in AUDIO_SUFFIXES][: args.count]
    for song in songs:
        plain = args.out / f"{song.stem}.wav"
        convert(song, plain, "-ss", str(START_SECONDS), "-t", str(args.seconds), "-ar", "44100")
        annotate(plain, song.stem, args.seconds)
        for ending, options in ENCODINGS.items():
            coded = args.out / f"{song.stem}.{ending}"
            convert(plain, coded, *options)
            annotate(coded, song.stem, args.seconds)


if __name__ == "__main__":
    main()
