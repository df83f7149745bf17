"""The plan of a piece: sections, which parts play in each, and the chords of every bar.

Probabilities, weights and lengths are set by hand to vary the pieces, not measured on a corpus.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .chance import Chance
from .harmony import Chord, realise
from .progressions import PROGRESSIONS
from .timeline import Metre

PARTS = ("drums", "bass", "accompaniment", "colour", "lead")
PRESENCE_CHANCES = {"drums": 0.9, "bass": 0.92, "accompaniment": 0.94, "colour": 0.5, "lead": 0.75}


@dataclass(frozen=True)
class Section:
    first_bar: int
    bar_count: int
    theme: int
    """Sections with the same theme share chords and motifs (verse, chorus…)."""
    intensity: float
    """0 to 1: scales the piano's level; below a limit the snare may rest."""
    playing: frozenset[str]


@dataclass
class Form:
    """Bars are numbered from the start of the timeline; the first section may have begun before it."""

    sections: list[Section]
    _by_bar: list[Section] = field(default_factory=list)

    def __post_init__(self) -> None:
        for section in self.sections:
            self._by_bar += [section] * section.bar_count
        self._first_bar = self.sections[0].first_bar

    def at(self, bar: int) -> Section:
        return self._by_bar[min(max(bar - self._first_bar, 0), len(self._by_bar) - 1)]

    def bar_of_section(self, bar: int) -> int:
        return bar - self.at(bar).first_bar

    def is_last_bar(self, bar: int) -> bool:
        section = self.at(bar)
        return bar == section.first_bar + section.bar_count - 1


def plan_form(chance: Chance, bar_count: int, section_lengths_bars: list[int]) -> Form:
    themes = chance.pick([[0, 0, 1, 1], [0, 1], [0, 0], [0, 0, 1], [0, 1, 1, 0]])
    section_bars = chance.pick(section_lengths_bars)
    steady = chance.happens(0.5)
    playing_by_theme: dict[int, frozenset[str]] = {}
    sections = []
    first_bar = -chance.randrange(section_bars)
    while first_bar < bar_count + section_bars:
        theme = themes[len(sections) % len(themes)]
        drawn = frozenset(part for part in PARTS if chance.happens(PRESENCE_CHANCES[part]))
        playing = playing_by_theme.setdefault(theme, drawn) if steady else drawn
        if not playing & {"bass", "accompaniment", "drums", "lead"}:
            playing = playing | {"accompaniment"}
        intensity = min(1.0, max(0.0, 0.45 + 0.3 * theme + chance.gauss(0, 0.15)))
        sections.append(Section(first_bar, section_bars, theme, intensity, playing))
        first_bar += section_bars
    return Form(sections)


class Harmony:
    """Which chord sounds at a bar and pulse. Each theme has its own progression in the same key.

    Slots need not be equally long: a phrase may hurry (two chords share a slot) or dwell (one chord takes two). Changes
    always fall on a bar line, the beat nearest to the middle of a bar or, at four chords a bar, a beat.
    """

    HURRY_CHANCE, DWELL_CHANCE = 0.14, 0.08
    CLOSE_CHANCE = 0.3
    """Probability that all sections end on the tonic, whatever the progression says."""

    def __init__(
        self, chance: Chance, metre: Metre, form: Form, idiom: str, mode: str, tonic: int, bars_per_chord: float
    ) -> None:
        self._metre, self._form = metre, form
        self.tonic, self.mode, self.idiom = tonic, mode, idiom
        choices = PROGRESSIONS[idiom][mode]
        first = chance.pick(choices)
        second = first if idiom == "blues" or chance.happens(0.3) else chance.pick(choices)
        varied = idiom not in ("blues", "vamp", "drone", "metal") and chance.happens(0.6)
        self._bars = [
            self._lay_out(chance, realise(progression, tonic), bars_per_chord, varied)
            for progression in (first, second)
        ]

        closes = idiom in ("pop", "ballad", "rock", "folk", "classical", "jazz") and chance.happens(self.CLOSE_CHANCE)
        tonic_chord = realise("i" if mode == "minor" else "I", tonic)[0]
        self._final = [(0, tonic_chord)] if closes else None

    def _lay_out(
        self, chance: Chance, chords: list[Chord], bars_per_chord: float, varied: bool
    ) -> list[list[tuple[int, Chord]]]:
        """For each bar of the phrase, its chords and the pulses at which they begin."""
        pulses = self._metre.pulses_per_bar
        # Odd bars divide with the longer part first (2+1 in three, 3+2 in five), unless groups of pulses forbid it.
        middle = min(reversed(self._metre.beat_pulses), key=lambda beat: abs(2 * beat - pulses))
        halves = [middle, pulses - middle]
        lengths_pulses: list[int] = []
        while len(lengths_pulses) < len(chords):
            if bars_per_chord >= 1:
                whole_pulses = round(bars_per_chord) * pulses
                if varied and chance.happens(self.HURRY_CHANCE):
                    lengths_pulses += [whole_pulses // 2, whole_pulses // 2] if bars_per_chord > 1 else halves
                elif varied and chance.happens(self.DWELL_CHANCE):
                    lengths_pulses.append(2 * whole_pulses)
                else:
                    lengths_pulses.append(whole_pulses)
            elif bars_per_chord <= 0.25 and pulses == 4:
                lengths_pulses += [1, 1, 1, 1]
            elif varied and chance.happens(2 * self.DWELL_CHANCE):
                lengths_pulses.append(pulses)
            else:
                lengths_pulses += halves
        bars: list[list[tuple[int, Chord]]] = [[]]
        position_pulses = 0
        for chord, length_pulses in zip(chords, lengths_pulses):
            bar, pulse = divmod(position_pulses, pulses)
            while len(bars) <= bar:
                bars.append([(0, bars[-1][-1][1])])
            bars[bar] = [entry for entry in bars[bar] if entry[0] != pulse] + [(pulse, chord)]
            position_pulses += length_pulses
        while len(bars) < -(-position_pulses // pulses):
            bars.append([(0, bars[-1][-1][1])])
        return bars

    def _bar(self, bar: int) -> list[tuple[int, Chord]]:
        section = self._form.at(bar)
        if self._final is not None and self._form.is_last_bar(bar):
            return self._final
        phrase = self._bars[section.theme % 2]
        return phrase[(bar - section.first_bar) % len(phrase)]

    def slot_starts(self, bar: int) -> list[int]:
        """Pulses of a bar at which a chord begins; the first is always 0."""
        return [pulse for pulse, _ in self._bar(bar)]

    def at(self, bar: int, pulse: float = 0.0) -> Chord:
        pulses = self._metre.pulses_per_bar
        bar, pulse = bar + int(pulse // pulses), pulse % pulses
        return [chord for start, chord in self._bar(bar) if start <= pulse][-1]

    @property
    def key_label(self) -> int:
        """0..11 major, 12..23 minor. Andalusian cadences end on the dominant of the minor key listeners name."""
        if self.idiom == "andalusian":
            return (self.tonic + 5) % 12 + 12
        return self.tonic + (12 if self.mode == "minor" else 0)
