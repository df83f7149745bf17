"""Makes a corpus of sounds that are not music.

    python evaluation/noise_corpus.py --esc50 GIT --speech GIT --out DIR [--per-class N]

GIT are git directories of github.com/karolpiczak/ESC-50 and github.com/tyiannak/pyAudioAnalysis. Noises of 5 s and speech are repeated until they last
30 s, because a few seconds never get a genre. The figures of docs/accuracy.md are from six clips of each class. ESC-50 is CC BY-NC: none of its
recordings are kept in this repository. Needs ffmpeg.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
from pathlib import Path

CLIP_SECONDS = 30
# As in evaluation/scores/noise-learned.json, which names every clip.
CLIPS_PER_CLASS = 6
# What ESC-50 has of each class.
CLASS_CLIPS_MAX = 40
# The speech among the example data: clips of the class, and longer recordings. Of speechEmotion every second file, chosen.
SPEECH = r"(3_class/speech/.*|speechEmotion/.*[02468]|data/(3WORDS|count2?|diarizationExample2?|recording[13]))\.wav$"
# Chosen: smaller files hold less than a tenth of a second.
SPEECH_BYTES_MIN = 3000


def git(folder: Path, *command: str) -> bytes:
    return subprocess.run(["git", f"--git-dir={folder}", *command], capture_output=True, check=True).stdout


def list_files(folder: Path, pattern: str) -> list[str]:
    names = git(folder, "ls-tree", "-r", "--name-only", "HEAD").decode().splitlines()
    return [name for name in names if re.search(pattern, name)]


def choose(names: list[str], count: int) -> list[str]:
    """Spread evenly over the list, which must have at least `count` names."""
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
    wanted = parser.parse_args()
    wanted.out.mkdir(parents=True, exist_ok=True)
    classes: dict[str, list[str]] = {}
    for name in list_files(wanted.esc50, r"^audio/.*\.wav$"):
        classes.setdefault(re.search(r"-(\d+)\.wav$", name)[1], []).append(name)
    for names in classes.values():
        for name in choose(names, wanted.per_class):
            write_looped(git(wanted.esc50, "cat-file", "blob", f"HEAD:{name}"), wanted.out, f"noise-{Path(name).stem}")
    for name in list_files(wanted.speech, SPEECH):
        audio = git(wanted.speech, "cat-file", "blob", f"HEAD:{name}")
        if len(audio) > SPEECH_BYTES_MIN:
            write_looped(audio, wanted.out, f"speech-{Path(name).stem}")


if __name__ == "__main__":
    main()
