"""The plan of a piece: sections, which parts play in each, and the chords under every bar."""

from __future__ import annotations

from dataclasses import dataclass, field

from .chance import Chance
from .harmony import Chord, realise
from .progressions import PROGRESSIONS
from .timeline import Metre

PARTS = ("drums", "bass", "accompaniment", "colour", "lead")
DEFAULT_PRESENCE = {"drums": 0.9, "bass": 0.92, "accompaniment": 0.94, "colour": 0.5, "lead": 0.75}


@dataclass(frozen=True)
class Section:
    first_bar: int
    bars: int
    theme: int
    """Sections with the same theme share chords and motifs (verse, chorus…)."""
    intensity: float
    playing: frozenset[str]


@dataclass
class Form:
    """Bars are numbered from the start of the timeline; the first section may have begun before it."""

    sections: list[Section]
    _by_bar: list[Section] = field(default_factory=list)

    def __post_init__(self) -> None:
        for section in self.sections:
            self._by_bar += [section] * section.bars
        self._offset = self.sections[0].first_bar

    def at(self, bar: int) -> Section:
        return self._by_bar[min(max(bar - self._offset, 0), len(self._by_bar) - 1)]

    def bar_of_section(self, bar: int) -> int:
        return bar - self.at(bar).first_bar

    def is_last_bar(self, bar: int) -> bool:
        section = self.at(bar)
        return bar == section.first_bar + section.bars - 1


def plan_form(
    chance: Chance, bar_count: int, section_bars: list[int], presence: dict[str, float] | None = None
) -> Form:
    presence = {**DEFAULT_PRESENCE, **(presence or {})}
    themes = chance.pick([[0, 0, 1, 1], [0, 1], [0, 0], [0, 0, 1], [0, 1, 1, 0]])
    bars = chance.pick(section_bars)
    steady = chance.happens(0.5)
    playing_by_theme: dict[int, frozenset[str]] = {}
    sections = []
    first_bar = -chance.randrange(bars)
    while first_bar < bar_count + bars:
        theme = themes[len(sections) % len(themes)]
        drawn = frozenset(part for part in PARTS if chance.happens(presence[part]))
        playing = playing_by_theme.setdefault(theme, drawn) if steady else drawn
        if not playing & {"bass", "accompaniment", "drums", "lead"}:
            playing = playing | {"accompaniment"}
        intensity = min(1.0, max(0.0, 0.45 + 0.3 * theme + chance.gauss(0, 0.15)))
        sections.append(Section(first_bar, bars, theme, intensity, playing))
        first_bar += bars
    return Form(sections)


class Harmony:
    """Which chord sounds at a bar and pulse. Each theme has its own progression in the same key."""

    def __init__(
        self, chance: Chance, metre: Metre, form: Form, idiom: str, mode: str, tonic: int, bars_per_chord: float
    ) -> None:
        self._metre, self._form = metre, form
        self.tonic, self.mode, self.idiom = tonic, mode, idiom
        choices = PROGRESSIONS[idiom][mode]
        first = chance.pick(choices)
        second = first if idiom == "blues" or chance.happens(0.3) else chance.pick(choices)
        self._progressions = [realise(first, tonic), realise(second, tonic)]
        self._slots_per_bar = self._slots(bars_per_chord)
        self._bars_per_slot = max(1, round(bars_per_chord))

    def _slots(self, bars_per_chord: float) -> list[int]:
        """Pulses of the bar at which a new slot begins."""
        pulses = self._metre.pulses_per_bar
        if bars_per_chord >= 1 or pulses < 2:
            return [0]
        if bars_per_chord <= 0.25 and pulses == 4:
            return [0, 1, 2, 3]
        # Bars that do not halve change chord on a later beat: 2+1 in three, 3+2 in five, 4+3 in seven.
        return [0, (pulses + 1) // 2]

    def slot_starts(self) -> list[int]:
        return self._slots_per_bar

    def at(self, bar: int, pulse: float = 0.0) -> Chord:
        bar, pulse = self._normalise(bar, pulse)
        section = self._form.at(bar)
        progression = self._progressions[section.theme % 2]
        in_section = bar - section.first_bar
        if len(self._slots_per_bar) == 1:
            return progression[(in_section // self._bars_per_slot) % len(progression)]
        slot_of_bar = sum(1 for start in self._slots_per_bar if start <= pulse) - 1
        return progression[(in_section * len(self._slots_per_bar) + slot_of_bar) % len(progression)]

    def _normalise(self, bar: int, pulse: float) -> tuple[int, float]:
        pulses = self._metre.pulses_per_bar
        return (bar + int(pulse // pulses), pulse % pulses)

    @property
    def key_label(self) -> int:
        """0..11 major, 12..23 minor. Andalusian cadences end on the dominant of the minor key listeners name."""
        if self.idiom == "andalusian":
            return (self.tonic + 5) % 12 + 12
        return self.tonic + (12 if self.mode == "minor" else 0)
