"""Runs librosa, Essentia, madmom or BeatNet over a corpus and writes its answers in the corpus's format, for `npm run evaluate -- --scored DIR`.

    python evaluation/peer_estimates.py --corpus DIR --out DIR --peer librosa|essentia|madmom|beatnet [--every N]

Each is called as its documentation shows. What a peer does not estimate (librosa has no bars) stays empty. librosa does not estimate keys either: here
its chroma is correlated with key profiles, as Krumhansl and Schmuckler do. None of them is part of the product.
"""

import argparse
import json
import pathlib

PITCHES = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]
SPELLINGS = {"Db": "C#", "D#": "Eb", "Gb": "F#", "G#": "Ab", "A#": "Bb"}
# The key profiles of Krumhansl and Kessler 1982, from the tonic.
MAJOR = [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88]
MINOR = [6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17]


def name_key(pitch, scale):
    return f"{SPELLINGS.get(pitch, pitch)}:{'min' if scale.startswith('min') else 'maj'}"


def estimate_with_librosa(path):
    import librosa
    import numpy as np

    samples, rate_hz = librosa.load(path, sr=22050, mono=True)
    bpm, beats = librosa.beat.beat_track(y=samples, sr=rate_hz, units="time")
    chroma = librosa.feature.chroma_cqt(y=samples, sr=rate_hz).mean(1)
    fits = [
        (np.corrcoef(np.roll(profile, tonic), chroma)[0, 1], PITCHES[tonic], scale)
        for profile, scale in ((MAJOR, "maj"), (MINOR, "min"))
        for tonic in range(12)
    ]
    fit, pitch, scale = max(fits)
    return {
        # 0 where it hears no onset.
        "tempo_bpm": float(np.atleast_1d(bpm)[0]) or None,
        "beats": [float(t) for t in beats],
        # Silence fits no key.
        "key": name_key(pitch, scale) if np.isfinite(fit) else None,
    }


def estimate_with_essentia(path):
    import essentia

    essentia.log.infoActive = essentia.log.warningActive = False
    import essentia.standard as es

    samples = es.MonoLoader(filename=str(path), sampleRate=44100)()
    bpm, beats, *_ = es.RhythmExtractor2013(method="multifeature")(samples)
    pitch, scale, _ = es.KeyExtractor(profileType="edma")(samples)
    # 0 BPM where it finds fewer than two beats.
    return {"tempo_bpm": float(bpm) or None, "beats": [float(t) for t in beats], "key": name_key(pitch, scale)}


def describe_bars(beats):
    """`beats`: pairs of a time in seconds and the number of the beat in its bar, from 1. The tempo is that of the median interval, of two the longer."""
    times_seconds = [float(seconds) for seconds, _ in beats]
    intervals_seconds = sorted(later - earlier for earlier, later in zip(times_seconds, times_seconds[1:]))
    return {
        "tempo_bpm": 60 / intervals_seconds[len(intervals_seconds) // 2] if intervals_seconds else None,
        "beats": times_seconds,
        "downbeats": [float(seconds) for seconds, number in beats if number == 1],
    }


def estimate_with_madmom(path):
    from madmom.features.downbeats import DBNDownBeatTrackingProcessor, RNNDownBeatProcessor
    from madmom.features.key import CNNKeyRecognitionProcessor, key_prediction_to_label

    beats = DBNDownBeatTrackingProcessor(beats_per_bar=[3, 4], fps=100)(RNNDownBeatProcessor()(str(path)))
    pitch, scale = key_prediction_to_label(CNNKeyRecognitionProcessor()(str(path))).split()
    return {**describe_bars(beats), "key": name_key(pitch, scale)}


def estimate_with_beatnet(path):
    from BeatNet.BeatNet import BeatNet

    return describe_bars(BeatNet(1, mode="offline", inference_model="DBN", plot=[], thread=False).process(str(path)))


PEERS = {"librosa": estimate_with_librosa, "essentia": estimate_with_essentia, "madmom": estimate_with_madmom, "beatnet": estimate_with_beatnet}
NO_ESTIMATE = {"tempo_bpm": None, "beats": [], "downbeats": [], "time_signature": None, "key": None, "chords": [], "sections": []}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--peer", required=True, choices=PEERS)
    parser.add_argument("--every", type=int, default=1, help="every n-th song by name")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    songs = sorted(path for path in args.corpus.glob("*.json") if path.name != "manifest.json")
    for path in songs[:: args.every]:
        estimate = args.out / path.name
        if estimate.exists():
            continue
        audio = args.corpus / json.loads(path.read_text())["audio"]
        estimate.write_text(json.dumps({**NO_ESTIMATE, **PEERS[args.peer](audio)}))
