"""Needs PyTorch; skipped where it is not installed (CI runs the numpy tests)."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from earshot_training import voice as voice_module  # noqa: E402
from earshot_training import voice_encodings  # noqa: E402
from earshot_training.export import export_beats  # noqa: E402
from earshot_training.features import MEL_BANDS, SAMPLE_RATE_HZ  # noqa: E402
from earshot_training.networks import BeatNetwork  # noqa: E402
from earshot_training.voice import CLIP_FRAMES, GAP_FRAMES, VoiceMixer, close_gaps, describe_clip, export, read_notes  # noqa: E402
from earshot_training.voice_encodings import STEREO_HZ, mix  # noqa: E402

SONG = "#TITLE:Made up\n#BPM:300,0\n#GAP:1500\n: 0 4 60 La\n* 8 2 62 la\n- 12\nF 20 1 0 huh\nE\n"


def test_notes_are_counted_in_quarters_of_a_beat_after_the_gap():
    # A quarter of a beat at 300 a minute is 50 ms.
    assert read_notes(SONG) == pytest.approx([(1.5, 1.7), (1.9, 2.0), (2.5, 2.55)])


def test_a_song_is_read_at_three_speeds_each_with_its_own_notes(tmp_path, monkeypatch):
    (tmp_path / "song").mkdir()
    (tmp_path / "song" / "song.txt").write_text(SONG)
    (tmp_path / "song" / "audio.ogg").touch()
    noise = np.random.default_rng(1).standard_normal(4 * SAMPLE_RATE_HZ)
    monkeypatch.setattr(voice_module, "read_audio", lambda path, speed: noise[: int(len(noise) / speed)])
    songs = voice_module.load_sung(tmp_path)
    assert [len(mel) for mel, _ in songs] == [len(sung) for _, sung in songs] == [201, 179, 164]
    # From 1.5 s on, with a gap that is closed, to 2 s, and once more at 2.5 s; a note ends within a frame.
    edges = [np.flatnonzero(np.diff(sung.astype(int))) + 1 for _, sung in songs]
    expected = [np.array([1.5, 2.02, 2.5, 2.57]) * 50 / speed for speed in (1, 1.12, 1.22)]
    assert np.concatenate(edges) == pytest.approx(np.concatenate(expected), abs=1.01)


def test_short_gaps_between_notes_count_as_voice():
    voiced = np.zeros(60, bool)
    after_longer_gap = 5 + GAP_FRAMES + GAP_FRAMES + 1
    voiced[[5, 5 + GAP_FRAMES, after_longer_gap]] = True
    assert np.flatnonzero(close_gaps(voiced)).tolist() == [*range(5, 6 + GAP_FRAMES), after_longer_gap]


def test_loud_frames_are_voiced_and_scaled_to_unit_level():
    audio = 0.001 * np.random.default_rng(1).standard_normal(13 * SAMPLE_RATE_HZ).astype(np.float32)
    loud = slice(4 * SAMPLE_RATE_HZ, 8 * SAMPLE_RATE_HZ)
    audio[loud] += np.sin(2 * np.pi * 220 * np.arange(4 * SAMPLE_RATE_HZ) / SAMPLE_RATE_HZ)
    mel, voiced = describe_clip(audio)
    # A window of 46 ms reaches over either edge.
    assert np.flatnonzero(voiced)[[0, -1]].tolist() == pytest.approx([200, 400], abs=2)
    assert np.sqrt(np.square(mel[voiced].astype(float)).mean()) == pytest.approx(1, rel=0.01)


def test_a_batch_is_labelled_in_the_voiced_frames():
    voiced = np.zeros(CLIP_FRAMES, bool)
    voiced[100:200] = True
    voice = (np.where(voiced[:, None], 1.0, 0.0) * np.ones(MEL_BANDS)).astype(np.float16)
    music = np.full((CLIP_FRAMES + 10, MEL_BANDS), 0.5, np.float16)
    x, sung, spoken = VoiceMixer([(voice, voiced, True)], [music], [], "cpu", 1).batch()
    assert x.shape == (96, CLIP_FRAMES, MEL_BANDS) and torch.isfinite(x).all()
    # There is one voice: a clip has it in its voiced frames, or has none.
    with_voice = sung.any(1)
    assert 0 < with_voice.sum() < 96
    assert (sung[with_voice] == torch.from_numpy(voiced).float()).all()
    assert not spoken.any()


def test_the_first_output_is_exported_and_the_second_is_not():
    network = BeatNetwork(4, 6, blocks=3)
    model, both = export(network), export_beats(network, "1")
    assert model.architecture["outputs"] == ["voice"]
    assert model.tensors["output.weight"].tolist() == both.tensors["output.weight"][:1].tolist()
    assert model.tensors["output.bias"].tolist() == both.tensors["output.bias"][:1].tolist()


def test_a_mixture_does_not_clip_and_keeps_the_speed_of_the_voice():
    music = np.zeros((STEREO_HZ, 2), np.float32)
    music[0] = 1e-3
    voice = np.zeros(SAMPLE_RATE_HZ, np.float32)
    voice[SAMPLE_RATE_HZ // 2] = 1.0
    mixed = mix(music, voice, np.random.default_rng(1))
    assert np.abs(mixed).max() == pytest.approx(0.5)
    assert np.abs(mixed[100:, 0]).argmax() + 100 == pytest.approx(STEREO_HZ // 2, abs=1)


def test_silence_without_a_voice_stays_silent():
    assert not mix(np.zeros((100, 2), np.float32), None, np.random.default_rng(1)).any()


def silent_bands(inputs: list) -> set[int]:
    return {band for mel in inputs for band in range(MEL_BANDS) if not mel[..., band].any()}


def test_a_pitch_shift_does_not_wrap_bands_around(monkeypatch):
    class FullBands:
        device, rng = "cpu", np.random.default_rng(1)

        def batch(self):
            return torch.ones(2, 20, MEL_BANDS), torch.ones(2, 20), torch.ones(2)

    heard = []

    def make_network(*sizes):
        network = BeatNetwork(4, 6, blocks=3)
        network.register_forward_pre_hook(lambda _, inputs: heard.append(inputs[0]))
        return network

    monkeypatch.setattr(voice_module, "BeatNetwork", make_network)
    voice_module.train(FullBands(), 1.0, (4, 6, 3), 12, 1)
    assert silent_bands(heard) == {0, 1, 2, MEL_BANDS - 3, MEL_BANDS - 2, MEL_BANDS - 1}


def test_a_pitch_shift_in_further_training_does_not_wrap_bands_around(monkeypatch):
    inputs, voice_logits = [], voice_encodings.voice_logits

    def record(network, mel, *logit_max):
        inputs.append(mel)
        return voice_logits(network, mel, *logit_max)

    monkeypatch.setattr(voice_encodings, "voice_logits", record)
    full = np.ones((20, MEL_BANDS), np.float32)
    voice_encodings.train_on(export(BeatNetwork(4, 6, blocks=3)), [(full, [full])] * 8, 12, 1)
    assert silent_bands(inputs) == {0, 1, MEL_BANDS - 2, MEL_BANDS - 1}
