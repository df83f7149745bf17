"""What a style decides: tempo, metre, feel, instruments and patterns. The table of styles: styles.py."""

from __future__ import annotations

from dataclasses import dataclass, field

from .drums import DrumStyle
from .melody import MelodyStyle
from .timeline import Metre, simple_metre


@dataclass(frozen=True)
class Style:
    name: str
    weight: float
    """How often it is drawn, relative to the others."""
    tempo_bpm: tuple[float, float]
    """Range in pulses a minute: beats, unless the metre groups pulses (timeline.py)."""
    ensemble: str = "band"
    """Which writer is used (compose.py): band, ballad, keyboard, orchestra, counterpoint, choir, drums, or, without a
    pulse, talk, applause and drone.
    """
    metres: dict[Metre, float] = field(default_factory=lambda: {simple_metre(4): 1.0})
    idioms: tuple[str, ...] = ("pop",)
    minor_chance: float = 0.42
    eighth_swing: tuple[float, float] = (0.5, 0.53)
    sixteenth_swing: tuple[float, float] = (0.5, 0.5)
    drums: DrumStyle | None = None
    drum_chance: float = 1.0
    percussion_group: str | None = None
    bass_lines: tuple[str, ...] = ("halves", "eighths")
    bass_groups: tuple[str, ...] = ("electric_bass",)
    bass_chance: float = 0.88
    compings: tuple[str, ...] = ("pad", "block")
    comping_groups: tuple[str, ...] = ("piano", "electric_guitar")
    leads: tuple[str, ...] = ("voice",)
    melody: MelodyStyle = MelodyStyle()
    lead_chance: float = 0.85
    machine_time_chance: float = 0.3
    """Chance that the tempo does not drift at all."""
    drift: float = 0.006
    """Scale of the Feel's drift."""
    rubato: float = 0.0
    """Average share by which the ends of phrases are stretched."""
    timing_jitter_s: float = 0.006
    chord_s: float = 2.4
    """Typical duration of a chord; the harmonic rhythm is chosen to come near it."""
    push_chance: float = 0.0
    """Chance that the band anticipates some bar lines, by an eighth or, in slow music, a sixteenth."""
    guitar_drive: tuple[float, float] = (0.0, 0.0)
    """Range of the Mix's drive."""
    pump_chance: float = 0.0
    reverb: float = 0.35
    """Half of the largest reverb_wet of the Mix."""
    swells_db: float = 3.0
    """Half of the largest swells_db of the Mix."""
