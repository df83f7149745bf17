"""Trains the voice network: `python -m earshot_training.voice --speech SPEECH --music MUSIC --sung SUNG --out FILE`.

SPEECH has one audio file per speaker, words separated by short silences; MUSIC has instrumental music; SUNG has songs
in the layout of github.com/UltraStar-Deluxe/songs, whose song.txt says when each note is sung. README.md lists ours and
their licences. Needs PyTorch, one GPU, pyworld and soundfile. Words are sung (singing.py) or spoken, and their spectra
are mixed with those of music in new random pairs for every batch. Shares, ranges and rates were set by hand; the seed
had the best scores on ten songs.

An annotated note ends with its vowel, before the consonants, so gaps of up to a quarter of a second count as voice.
"""

from __future__ import annotations

import argparse
import re
import time
from multiprocessing import Pool
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from .container import Model, write_model
from .distortion import DECAY_OF_60_DB, TAIL_FRAMES, shift_bands
from .export import export_beats
from .features import MEL_FRAMES_PER_S, MEL_GAIN, SAMPLE_RATE_HZ, mel_spectrogram
from .networks import BeatNetwork
from .singing import analyse_word, sing, speak, split_words

Song = tuple[np.ndarray, np.ndarray]
"""Mel magnitudes, and for each frame whether somebody sings."""
VoiceClip = tuple[np.ndarray, np.ndarray, bool]
"""The same of a voice alone, and whether it sings rather than speaks."""

CLIP_S = 12
# Per speaker.
SUNG_CLIPS, SPOKEN_CLIPS = 22, 7
CLIP_FRAMES = int(CLIP_S * MEL_FRAMES_PER_S)
GAP_FRAMES = int(0.25 * MEL_FRAMES_PER_S)
# A frame below this share of the 90th percentile of a voice's power is silent.
SILENCE_SHARE = 2e-3
# Speakers with fewer words are left out: their clips would be nearly the same.
WORDS_MIN = 5
SPEEDS = (1.0, 1.12, 1.22)
STEPS, BATCH_CLIPS, STEPS_PER_REPORT = 3500, 96, 250
# Share of every batch that is excerpts of real singing, and probability that a mixture has no voice.
SUNG_SHARE, VOICELESS_CHANCE = 0.08, 0.3
# Level of a room's tail at its start, relative to the direct sound.
ROOM_DB = (-26, -9)
# Levels of a second voice relative to the first, of a second track to the first, and of the voices to the music.
SECOND_VOICE_DB, SECOND_TRACK_DB, VOICE_DB = (-12, 0), (-14, 0), (-11, 9)
# Share of the music left behind a voice that is alone: inaudible, but not digital silence.
MUSIC_BEHIND_VOICE_ALONE = 0.003
PEAK_RATE, WEIGHT_DECAY, DROPOUT = 5e-3, 0.02, 0.12
# Label smoothing, as some labels are wrong.
VOICE_SMOOTHING, MANNER_SMOOTHING = 0.06, 0.1
# Weight in the loss of the second output, spoken or sung.
MANNER_LOSS_SHARE = 0.3
# The shipped weights were trained with a shift that wrapped the outermost bands around to the other end.
SHIFT_BANDS_MAX = 3


def read_audio(path: Path, speed: float = 1.0) -> np.ndarray:
    """Mono at 22.05 kHz by linear interpolation; without a low-pass, so that frequencies above 11 kHz alias."""
    import soundfile

    audio, rate_hz = soundfile.read(path, dtype="float32", always_2d=True)
    audio = torch.tensor(audio.mean(1))
    length_samples = int(len(audio) * SAMPLE_RATE_HZ / rate_hz / speed)
    return F.interpolate(audio[None, None], length_samples, mode="linear")[0, 0].numpy()


def magnitudes(log_mel: np.ndarray) -> np.ndarray:
    return np.expm1(log_mel) / MEL_GAIN


def close_gaps(voiced: np.ndarray) -> np.ndarray:
    closed, last = voiced.copy(), None
    for frame in np.flatnonzero(voiced):
        if last is not None and frame - last <= GAP_FRAMES:
            closed[last:frame] = True
        last = frame
    return closed


def describe_clip(audio: np.ndarray) -> Song:
    """Mel magnitudes scaled to unit RMS over the voiced frames, and which frames those are."""
    mel = magnitudes(mel_spectrogram(audio))[:CLIP_FRAMES]
    power = np.square(mel).sum(1)
    voiced = close_gaps(power > SILENCE_SHARE * np.percentile(power, 90))
    return (mel / np.sqrt(np.square(mel[voiced]).mean())).astype(np.float16), voiced


def make_voices(job: tuple[Path, int]) -> list[VoiceClip]:
    """Clips of one speaker, sung and spoken. No clips from a recording with too few words."""
    path, seed = job
    rng = np.random.default_rng(seed)
    spoken = split_words(read_audio(path))
    words = [word for word in map(analyse_word, spoken) if word is not None]
    if len(words) < WORDS_MIN:
        return []
    clips = [(sing(words, rng, CLIP_S + 1), True) for _ in range(SUNG_CLIPS)]
    clips += [(speak(spoken, rng, CLIP_S + 1), False) for _ in range(SPOKEN_CLIPS)]
    return [(*describe_clip(audio), sung) for audio, sung in clips]


def read_notes(text: str) -> list[tuple[float, float]]:
    """Start and end in seconds of every note of an UltraStar song.txt, which counts in quarters of a beat."""
    header = dict(re.findall(r"^#(\w+):(.*?)\s*$", text, re.M))
    quarter_s = 60 / 4 / float(header["BPM"].replace(",", "."))
    start_s = float(header.get("GAP", "0").replace(",", ".")) / 1000
    notes = re.findall(r"^[:*FRG] (-?\d+) (\d+) ", text, re.M)
    return [(start_s + int(a) * quarter_s, start_s + (int(a) + int(n)) * quarter_s) for a, n in notes]


def load_sung(folder: Path) -> list[Song]:
    songs = []
    for text in sorted(folder.rglob("song.txt")):
        audio = next(path for path in text.parent.iterdir() if path.suffix in (".ogg", ".mp3"))
        notes = read_notes(text.read_text("utf-8-sig", "replace"))
        for speed in SPEEDS:
            mel = magnitudes(mel_spectrogram(read_audio(audio, speed)))
            sung = np.zeros(len(mel), bool)
            for start_s, end_s in notes:
                sung[int(start_s / speed * MEL_FRAMES_PER_S) : int(end_s / speed * MEL_FRAMES_PER_S) + 1] = True
            songs.append((mel, close_gaps(sung)))
    return songs


def load_music(path: Path) -> np.ndarray:
    return magnitudes(mel_spectrogram(read_audio(path))).astype(np.float16)


class VoiceMixer:
    """Draws batches of mixtures."""

    def __init__(
        self, voices: list[VoiceClip], music: list[np.ndarray], songs: list[Song], device: str, seed: int
    ) -> None:
        self.rng, self.device = np.random.default_rng(seed), device
        self.voices = torch.tensor(np.stack([mel for mel, _, _ in voices]), device=device)
        self.voiced = torch.tensor(np.stack([voiced for _, voiced, _ in voices]), device=device)
        self.is_sung = torch.tensor([sung for _, _, sung in voices], device=device)
        self.music = [torch.tensor(mel, device=device) for mel in music if len(mel) > CLIP_FRAMES]
        self.songs = [(torch.tensor(mel, device=device), torch.tensor(sung, device=device)) for mel, sung in songs]

    def _draw(self, low: float, high: float, count: int) -> torch.Tensor:
        return torch.tensor(self.rng.uniform(low, high, (count, 1, 1)), dtype=torch.float32, device=self.device)

    def _draw_gain(self, range_db: tuple[float, float], count: int) -> torch.Tensor:
        return 10 ** (self._draw(*range_db, count) / 20)

    def _colour(self, x: torch.Tensor, strength: float) -> torch.Tensor:
        """A random tilt and gentle bumps over the bands, as from another room or mixing desk."""
        count, bands = len(x), x.shape[2]
        tilt = 0.35 * torch.randn(count, 1, 1, device=x.device) * torch.linspace(-1, 1, bands, device=x.device)
        bumps = F.interpolate(0.3 * torch.randn(count, 1, 7, device=x.device), bands, mode="linear")
        return x * torch.exp(strength * (tilt + bumps))

    def _reverberate(self, x: torch.Tensor) -> torch.Tensor:
        frames = torch.arange(TAIL_FRAMES, device=x.device)
        decay_s = self._draw(0.2, 2.0, len(x))[:, 0]
        tail = torch.exp(-DECAY_OF_60_DB * frames / MEL_FRAMES_PER_S / decay_s)
        wet = self._draw_gain(ROOM_DB, len(x))[:, 0].square() * (self._draw(0, 1, len(x))[:, 0] < 0.7)
        kernel = wet * tail
        kernel[:, 0] = 1
        power = F.pad(x.square().permute(2, 0, 1), (TAIL_FRAMES - 1, 0))
        return F.conv1d(power, kernel.flip(1)[:, None], groups=len(x)).permute(1, 2, 0).clamp(min=0).sqrt()

    def _crop(self, *tensors: torch.Tensor) -> list[torch.Tensor]:
        first = self.rng.integers(0, len(tensors[0]) - CLIP_FRAMES + 1)
        return [tensor[first : first + CLIP_FRAMES] for tensor in tensors]

    def _accompany(self, count: int) -> torch.Tensor:
        crops = [self._crop(self.music[self.rng.integers(len(self.music))])[0] for _ in range(count)]
        music = self._colour(torch.stack(crops).float(), 1.0)
        return music / _rms(music)

    def batch(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Mel magnitudes (clips, frames, bands), whether a frame has a voice, whether a clip's voice speaks."""
        sung_count = int(BATCH_CLIPS * SUNG_SHARE) if self.songs else 0
        count = BATCH_CLIPS - sung_count
        at = torch.tensor(self.rng.integers(0, len(self.voices), count), device=self.device)
        second = torch.tensor(self.rng.integers(0, len(self.voices), count), device=self.device)
        with_second = self._draw(0, 1, count) < 0.2
        voice = self._colour(self._reverberate(self.voices[at].float()), 1.2)
        other = self._colour(self._reverberate(self.voices[second].float()), 1.2)
        other = other * self._draw_gain(SECOND_VOICE_DB, count)
        voice = torch.sqrt(voice**2 + torch.where(with_second, other, 0.0) ** 2)
        label = self.voiced[at] | (self.voiced[second] & with_second[:, :, 0])
        # Sometimes two tracks at once, for more variety.
        together = torch.where(self._draw(0, 1, count) < 0.3, self._draw_gain(SECOND_TRACK_DB, count), 0.0)
        music = torch.sqrt(self._accompany(count) ** 2 + (together * self._accompany(count)) ** 2)
        without = self._draw(0, 1, count) < VOICELESS_CHANCE
        alone = self._draw(0, 1, count) < 0.1
        voice = torch.where(without, 0.0, voice * self._draw_gain(VOICE_DB, count))
        x = torch.sqrt(voice**2 + torch.where(alone & ~without, MUSIC_BEHIND_VOICE_ALONE, 1.0) * music**2)
        y = label & ~without[:, :, 0]
        spoken = ~self.is_sung[at]
        if sung_count:
            crops = [self._crop(*self.songs[self.rng.integers(len(self.songs))]) for _ in range(sung_count)]
            x = torch.cat([x, torch.stack([mel for mel, _ in crops]).float()])
            y = torch.cat([y, torch.stack([sung for _, sung in crops])])
            spoken = torch.cat([spoken, torch.zeros(sung_count, dtype=torch.bool, device=self.device)])
        x = self._colour(x, 0.6)
        gain = torch.exp(0.35 * torch.randn(BATCH_CLIPS, 1, 1, device=self.device))
        return x / _rms(x) * gain, y.float(), spoken.float()


def _rms(x: torch.Tensor) -> torch.Tensor:
    return x.square().mean((1, 2), keepdim=True).sqrt() + 1e-6


def _smooth(labels: torch.Tensor, smoothing: float) -> torch.Tensor:
    """0 becomes smoothing / 2, and 1 becomes 1 - smoothing / 2."""
    return (1 - smoothing) * labels + smoothing / 2


def train(mixer: VoiceMixer, level: float, sizes: tuple[int, int, int], steps: int, seed: int) -> BeatNetwork:
    torch.manual_seed(seed)
    network = BeatNetwork(*sizes, DROPOUT).to(mixer.device)
    optimiser = torch.optim.AdamW(network.parameters(), weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, PEAK_RATE, steps)
    started_s = time.time()
    for step in range(steps):
        x, y, spoken = mixer.batch()
        shift = int(mixer.rng.integers(-SHIFT_BANDS_MAX, SHIFT_BANDS_MAX + 1))
        x = torch.log1p(MEL_GAIN * level * shift_bands(x, shift))
        voice, talk = network(x).unbind(1)
        loss = F.binary_cross_entropy_with_logits(voice, _smooth(y, VOICE_SMOOTHING))
        talked = _smooth(spoken, MANNER_SMOOTHING)[:, None].expand_as(talk)
        manner = F.binary_cross_entropy_with_logits(talk, talked, weight=y)
        optimiser.zero_grad()
        (loss + MANNER_LOSS_SHARE * manner).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        if (step + 1) % STEPS_PER_REPORT == 0:
            losses = f"{loss.item():.3f} {manner.item():.3f}"
            print(f"{sizes} step {step + 1} {losses} after {time.time() - started_s:.0f} s", flush=True)
    return network.eval()


def export(network: BeatNetwork) -> Model:
    """Exports the first output. The second (spoken or sung) was right on the mixtures, but not on songs."""
    model = export_beats(network, "2")
    tensors = {**model.tensors, **{name: model.tensors[name][:1] for name in ("output.weight", "output.bias")}}
    return Model("voice", "2", {**model.architecture, "outputs": ["voice"]}, tensors)


def load_all(
    speech: Path, music: Path, sung: Path | None, workers: int
) -> tuple[list[VoiceClip], list[np.ndarray], list[Song]]:
    with Pool(workers) as pool:
        jobs = [(path, seed) for seed, path in enumerate(sorted(speech.iterdir()))]
        made = pool.map(make_voices, jobs, chunksize=1)
        tracks = pool.map(load_music, sorted(music.iterdir()), chunksize=2)
    # A clip without a voiced frame has no level.
    voices = [clip for clips in made for clip in clips if np.isfinite(clip[0]).all()]
    return voices, tracks, load_sung(sung) if sung else []


def level_of(tracks: list[np.ndarray]) -> float:
    """RMS of the tracks' mel magnitudes. The engine's frames have this level too: both are of audio at unit RMS."""
    return float(np.sqrt(np.mean([np.square(track.astype(np.float32)).mean() for track in tracks])))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--speech", required=True, type=Path)
    parser.add_argument("--music", required=True, type=Path)
    parser.add_argument("--sung", type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--workers", type=int, default=15)
    arguments = parser.parse_args()
    voices, tracks, songs = load_all(arguments.speech, arguments.music, arguments.sung, arguments.workers)
    print(len(voices), "clips of voices,", len(tracks), "tracks,", len(songs), "songs", flush=True)
    mixer = VoiceMixer(voices, tracks, songs, "cuda", arguments.seed)
    write_model(arguments.out, export(train(mixer, level_of(tracks), (8, 16, 6), arguments.steps, arguments.seed)))


if __name__ == "__main__":
    main()
