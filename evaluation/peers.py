"""Times librosa and Essentia, for the analyses they have in common with Earshot: seconds of audio per second of processor time.

    python evaluation/peers.py SONG

`npm run bench -- --peers PYTHON` runs it, so that all are measured in one run, and reads its lines. Neither is part of the product.
"""

import sys
import time


def report(name, audio_seconds, analyse):
    started_seconds = time.process_time()
    analyse()
    cpu_seconds = time.process_time() - started_seconds
    print(f"{name:<46} {audio_seconds / cpu_seconds:6.0f} x real time  {1000 * cpu_seconds / audio_seconds:7.2f} ms per second")


def bench_librosa(path):
    import librosa

    samples, sample_rate_hz = librosa.load(path, sr=22050, mono=True)
    seconds = len(samples) / sample_rate_hz
    # The first call of a function compiles it, and is not timed.
    librosa.beat.beat_track(y=samples[: 5 * sample_rate_hz], sr=sample_rate_hz)
    librosa.feature.chroma_cqt(y=samples[: 5 * sample_rate_hz], sr=sample_rate_hz)
    report("librosa beats", seconds, lambda: librosa.beat.beat_track(y=samples, sr=sample_rate_hz))
    report("librosa chroma", seconds, lambda: librosa.feature.chroma_cqt(y=samples, sr=sample_rate_hz))


def bench_essentia(path):
    import essentia

    essentia.log.infoActive = False
    essentia.log.warningActive = False
    import essentia.standard as es

    sample_rate_hz = 44100
    samples = es.MonoLoader(filename=path, sampleRate=sample_rate_hz)()
    seconds = len(samples) / sample_rate_hz
    report("Essentia beats (multifeature)", seconds, lambda: es.RhythmExtractor2013(method="multifeature")(samples))
    report("Essentia beats (degara)", seconds, lambda: es.RhythmExtractor2013(method="degara")(samples))
    report("Essentia key", seconds, lambda: es.KeyExtractor()(samples))


if __name__ == "__main__":
    for bench in (bench_librosa, bench_essentia):
        try:
            bench(sys.argv[1])
        except ImportError as missing:
            print(f"{missing.name} is not installed")
