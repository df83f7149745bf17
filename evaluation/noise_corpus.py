"""Makes a corpus of sounds that are not music.

    python evaluation/noise_corpus.py --esc50 GIT --speech GIT --out DIR [--per-class N]

GIT are git directories of github.com/karolpiczak/ESC-50 and github.com/tyiannak/pyAudioAnalysis. Noises of 5 s and speech are repeated to last 30 s, because
the engine names no genre for a few seconds. The figures of docs/accuracy.md are from six clips per class. ESC-50 is CC BY-NC: none of its recordings
are kept in this repository. Needs ffmpeg.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
from pathlib import Path

CLIP_SECONDS = 30
# As for evaluation/scores/noise-learned.json.
CLIPS_PER_CLASS = 6
# ESC-50 has this many of each class.
CLASS_CLIPS_MAX = 40
# The speech among the example data of pyAudioAnalysis: the clips of that class, every second emotional clip, and longer recordings.
SPEECH = r"(3_class/speech/.*|speechEmotion/.*[02468]|data/(3WORDS|count2?|diarizationExample2?|recording[13]))\.wav$"
# Smaller files hold less than a tenth of a second.
SPEECH_BYTES_MIN = 3000


def git(folder: Path, *command: str) -> bytes:
    return subprocess.run(["git", f"--git-dir={folder}", *command], capture_output=True, check=True).stdout


def list_files(folder: Path, pattern: str) -> list[str]:
    names = git(folder, "ls-tree", "-r", "--name-only", "HEAD").decode().splitlines()
    return [name for name in names if re.search(pattern, name)]


def choose(names: list[str], count: int) -> list[str]:
    """Picks names spread evenly over the list, which must have at least `count`."""
    step = len(names) // count
    return names[step // 2 :: step][:count]


def write_looped(audio: bytes, out: Path, identity: str) -> None:
    with tempfile.NamedTemporaryFile(suffix=".wav") as clip:
        clip.write(audio)
        clip.flush()
        command = ["ffmpeg", "-v", "error", "-y", "-stream_loop", "-1", "-i", clip.name, "-t", str(CLIP_SECONDS), "-ac", "1", "-ar", "22050"]
        subprocess.run([*command, str(out / f"{identity}.wav")], check=True)
    truth = {"id": identity, "audio": f"{identity}.wav", "duration": CLIP_SECONDS, "music": False}
    (out / f"{identity}.json").write_text(json.dumps(truth))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--esc50", required=True, type=Path)
    parser.add_argument("--speech", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--per-class", type=int, default=CLIPS_PER_CLASS, choices=range(1, CLASS_CLIPS_MAX + 1), metavar="N", help=f"1 to {CLASS_CLIPS_MAX}")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    classes: dict[str, list[str]] = {}
    for name in list_files(args.esc50, r"^audio/.*\.wav$"):
        classes.setdefault(re.search(r"-(\d+)\.wav$", name)[1], []).append(name)
    for names in classes.values():
        for name in choose(names, args.per_class):
            write_looped(git(args.esc50, "cat-file", "blob", f"HEAD:{name}"), args.out, f"noise-{Path(name).stem}")
    for name in list_files(args.speech, SPEECH):
        audio = git(args.speech, "cat-file", "blob", f"HEAD:{name}")
        if len(audio) > SPEECH_BYTES_MIN:
            write_looped(audio, args.out, f"speech-{Path(name).stem}")


if __name__ == "__main__":
    main()
