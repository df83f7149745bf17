"""Runs librosa, Essentia, madmom or BeatNet over a corpus and writes its answers in the corpus's form, for `npm run evaluate -- --scored DIR`.

    python evaluation/peer_estimates.py --corpus DIR --out DIR --peer librosa|essentia|madmom|beatnet [--every N]

Each is called as in its own documentation. What a peer cannot answer (librosa finds no bars) stays empty. librosa has no key either: it gets the usual
recipe, Krumhansl and Schmuckler's correlation of its chroma with key profiles. None of them is a part of the product.
"""

import argparse
import json
import pathlib

PITCHES = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]
SPELLED = {"Db": "C#", "D#": "Eb", "Gb": "F#", "G#": "Ab", "A#": "Bb"}
# The key profiles of Krumhansl and Kessler 1982, from the tonic.
MAJOR = [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88]
MINOR = [6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17]


def name_key(pitch, scale):
    return f"{SPELLED.get(pitch, pitch)}:{'min' if scale.startswith('min') else 'maj'}"


def ask_librosa(path):
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
    _, pitch, scale = max(fits)
    return {"tempo_bpm": float(np.atleast_1d(bpm)[0]), "beats": [float(t) for t in beats], "key": name_key(pitch, scale)}


def ask_essentia(path):
    import essentia

    essentia.log.infoActive = essentia.log.warningActive = False
    import essentia.standard as es

    samples = es.MonoLoader(filename=str(path), sampleRate=44100)()
    bpm, beats, *_ = es.RhythmExtractor2013(method="multifeature")(samples)
    pitch, scale, _ = es.KeyExtractor(profileType="edma")(samples)
    return {"tempo_bpm": float(bpm), "beats": [float(t) for t in beats], "key": name_key(pitch, scale)}


def describe_bars(beats):
    """`beats`: pairs of a time in seconds and the beat's number in its bar."""
    times = [float(time) for time, _ in beats]
    gaps = sorted(later - earlier for earlier, later in zip(times, times[1:]))
    return {
        "tempo_bpm": 60 / gaps[len(gaps) // 2] if gaps else None,
        "beats": times,
        "downbeats": [float(time) for time, place in beats if place == 1],
    }


def ask_madmom(path):
    from madmom.features.downbeats import DBNDownBeatTrackingProcessor, RNNDownBeatProcessor
    from madmom.features.key import CNNKeyRecognitionProcessor, key_prediction_to_label

    beats = DBNDownBeatTrackingProcessor(beats_per_bar=[3, 4], fps=100)(RNNDownBeatProcessor()(str(path)))
    pitch, scale = key_prediction_to_label(CNNKeyRecognitionProcessor()(str(path))).split()
    return {**describe_bars(beats), "key": name_key(pitch, scale)}


def ask_beatnet(path):
    from BeatNet.BeatNet import BeatNet

    return describe_bars(BeatNet(1, mode="offline", inference_model="DBN", plot=[], thread=False).process(str(path)))


PEERS = {"librosa": ask_librosa, "essentia": ask_essentia, "madmom": ask_madmom, "beatnet": ask_beatnet}
NOTHING = {"tempo_bpm": None, "beats": [], "downbeats": [], "time_signature": None, "key": None, "chords": [], "sections": []}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--peer", required=True, choices=PEERS)
    parser.add_argument("--every", type=int, default=1, help="every n-th song by name")
    wanted = parser.parse_args()
    wanted.out.mkdir(parents=True, exist_ok=True)
    songs = sorted(path for path in wanted.corpus.glob("*.json") if path.name != "manifest.json")
    for path in songs[:: wanted.every]:
        estimate = wanted.out / path.name
        if estimate.exists():
            continue
        audio = wanted.corpus / json.loads(path.read_text())["audio"]
        estimate.write_text(json.dumps({**NOTHING, **PEERS[wanted.peer](audio)}))
