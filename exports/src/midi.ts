/**
 * A tempo map, a click on channel 10 and the chords. The file begins with the first downbeat as bar 1, and the SMPTE offset gives its
 * position in the audio. A steady song has one tempo; any other has one per beat, so that the bars of a DAW follow the music.
 */

import { barLengths, buildBeatGrid, type GridBeat } from './beat-grid.ts';
import { chartChords, chartTonic } from './chart-spelling.ts';
import { chartName, parseChord } from './chord-label.ts';
import {
  type ExportSource,
  ExportUnavailable,
  requireGroup,
  sectionName,
  songTitle,
} from './export-source.ts';
import { type MidiEvent, writeMidiFile } from './midi-file.ts';
import { signatureOf } from './pitch-class.ts';
import { steadyTempo } from './steady-tempo.ts';

/** The usual resolution of sequencers. */
const TICKS_PER_BEAT = 480;
/** A tempo event has three bytes. */
const MICROSECONDS_PER_BEAT_MAX = 0xffffff;
const CLICK_CHANNEL = 9;
const CHORD_CHANNEL = 0;
/** A click rings as long as its sound; the note only has to end before the next one. */
const CLICK_TICKS = 60;
/** The high and the low wood block of General MIDI. */
const ACCENT_PITCH_MIDI = 76;
const BEAT_PITCH_MIDI = 77;
/** Of 127: a clear accent, and chords (CHORD_VELOCITY) softer than both. */
const ACCENT_VELOCITY = 112;
const BEAT_VELOCITY = 80;

export function writeMidi(source: ExportSource): Uint8Array {
  const rhythm = requireGroup(source, 'rhythm');
  if (rhythm.beats.length < 2) {
    throw new ExportUnavailable(
      'No steady beat was found in this audio, and a tempo map is made from beats.',
    );
  }
  const grid = fromFirstBar(buildBeatGrid(rhythm.beats));
  const steady = steadyTempo(grid);
  const barOneSeconds = steady?.startSeconds ?? grid[0]!.timeSeconds;
  const map = [
    { tick: 0, event: { kind: 'name', text: songTitle(source) } },
    { tick: 0, event: { kind: 'offset', seconds: Math.max(0, barOneSeconds) } },
    { tick: 0, event: { kind: 'text', text: `Bar 1 is at ${barOneSeconds.toFixed(3)} s of the audio` } },
    ...(steady ? [tempoEvent(0, steady.secondsPerBeat * 1e6)] : tempoEvents(grid)),
    ...meterEvents(grid),
    ...keyEvents(source, grid),
    ...markerEvents(source, grid),
  ] satisfies MidiEvent[];
  const click = [
    { tick: 0, event: { kind: 'name', text: 'Click' } },
    ...clickEvents(grid),
  ] satisfies MidiEvent[];
  const chords = [
    { tick: 0, event: { kind: 'name', text: 'Chords' } },
    ...chordEvents(source, grid),
  ] satisfies MidiEvent[];
  return writeMidiFile({ ticksPerBeat: TICKS_PER_BEAT, tracks: [map, click, chords] });
}

/** A song without a downbeat, or with one at its very end, begins with its first beat. */
function fromFirstBar(grid: GridBeat[]): GridBeat[] {
  const tracked = grid.findIndex((beat) => beat.isTracked);
  const downbeat = grid.findIndex((beat) => beat.isDownbeat);
  return grid.slice(downbeat === -1 || downbeat > grid.length - 2 ? tracked : downbeat);
}

function tempoEvent(tick: number, microsecondsPerBeat: number): MidiEvent {
  const wholeMicroseconds = Math.min(Math.max(Math.round(microsecondsPerBeat), 1), MICROSECONDS_PER_BEAT_MAX);
  return { tick, event: { kind: 'tempo', microsecondsPerBeat: wholeMicroseconds } };
}

/** Each tempo is the distance to the next beat plus the rounding errors so far, so that errors do not accumulate. */
function tempoEvents(grid: readonly GridBeat[]): MidiEvent[] {
  const startSeconds = grid[0]!.timeSeconds;
  let writtenMicroseconds = 0;
  return grid.slice(1).map(({ timeSeconds }, index) => {
    const targetMicroseconds = (timeSeconds - startSeconds) * 1e6;
    const microsecondsPerBeat = Math.round(targetMicroseconds - writtenMicroseconds);
    writtenMicroseconds += microsecondsPerBeat;
    return tempoEvent(index * TICKS_PER_BEAT, microsecondsPerBeat);
  });
}

function meterEvents(grid: readonly GridBeat[]): MidiEvent[] {
  const bars = barLengths(grid);
  const lastBar = bars.length - 1;
  let meterBeats: number | null = null;
  return bars.flatMap(({ beatIndex, beatCount }, index): MidiEvent[] => {
    // An incomplete last bar does not change the meter.
    if (beatCount === meterBeats || (index === lastBar && beatCount < (meterBeats ?? 0))) return [];
    meterBeats = beatCount;
    return [
      { tick: beatIndex * TICKS_PER_BEAT, event: { kind: 'meter', beatsPerBar: Math.min(beatCount, 255) } },
    ];
  });
}

function keyEvents(source: ExportSource, grid: readonly GridBeat[]): MidiEvent[] {
  return (source.document.tonal?.key_changes ?? []).flatMap((change): MidiEvent[] => {
    if (change.end_seconds <= grid[0]!.timeSeconds) return [];
    const sharps = signatureOf(chartTonic(change.key, change.scale), change.scale);
    const event = { kind: 'key', sharps, minor: change.scale === 'minor' } as const;
    return [{ tick: tickAt(grid, change.start_seconds), event }];
  });
}

function markerEvents(source: ExportSource, grid: readonly GridBeat[]): MidiEvent[] {
  return (source.document.structure?.sections ?? []).flatMap((section): MidiEvent[] =>
    section.end_seconds <= grid[0]!.timeSeconds
      ? []
      : [
          {
            tick: tickAt(grid, section.start_seconds),
            event: { kind: 'marker', text: sectionName(section) },
          },
        ],
  );
}

function clickEvents(grid: readonly GridBeat[]): MidiEvent[] {
  return grid.flatMap((beat, index): MidiEvent[] => {
    if (!beat.isTracked) return [];
    const pitchMidi = beat.isDownbeat ? ACCENT_PITCH_MIDI : BEAT_PITCH_MIDI;
    const velocity = beat.isDownbeat ? ACCENT_VELOCITY : BEAT_VELOCITY;
    const tick = index * TICKS_PER_BEAT;
    return [
      { tick, event: { kind: 'note', channel: CLICK_CHANNEL, pitchMidi, velocity } },
      { tick: tick + CLICK_TICKS, event: { kind: 'note', channel: CLICK_CHANNEL, pitchMidi, velocity: 0 } },
    ];
  });
}

/** The chord is in close position from C3 up, with its bass an octave below. */
const BASS_C_MIDI = 36;
const CHORD_C_MIDI = 48;
const CHORD_VELOCITY = 72;

/** Block chords, with their names as text events. A chord that begins near a beat begins on it. */
function chordEvents(source: ExportSource, grid: readonly GridBeat[]): MidiEvent[] {
  return chartChords(source.document).flatMap(({ label, start_seconds, end_seconds }): MidiEvent[] => {
    const chord = parseChord(label);
    const startTick = onBeat(tickAt(grid, start_seconds));
    const endTick = onBeat(tickAt(grid, end_seconds));
    if (chord === null || endTick <= startTick) return [];
    const pitchesMidi = [
      BASS_C_MIDI + chord.bassPitchClass,
      ...chord.semitones.map((semitones) => CHORD_C_MIDI + chord.rootPitchClass + semitones),
    ];
    const sound = (tick: number, velocity: number) =>
      pitchesMidi.map(
        (pitchMidi): MidiEvent => ({
          tick,
          event: { kind: 'note', channel: CHORD_CHANNEL, pitchMidi, velocity },
        }),
      );
    return [
      { tick: startTick, event: { kind: 'text', text: chartName(label) } },
      ...sound(startTick, CHORD_VELOCITY),
      ...sound(endTick, 0),
    ];
  });
}

/** A chord change this close to a beat is on it: an eighth of a beat, 62.5 ms at 120 BPM. */
const NEAR_TICKS = TICKS_PER_BEAT / 8;

function onBeat(tick: number): number {
  const beatTick = Math.round(tick / TICKS_PER_BEAT) * TICKS_PER_BEAT;
  return Math.abs(tick - beatTick) <= NEAR_TICKS ? beatTick : tick;
}

/** The tick of a time. Beyond the grid, its last tempo continues; a time before bar 1 becomes tick 0. */
function tickAt(grid: readonly GridBeat[], timeSeconds: number): number {
  const after = grid.findIndex((beat) => beat.timeSeconds > timeSeconds);
  const index = Math.min(Math.max((after === -1 ? grid.length : after) - 1, 0), grid.length - 2);
  const [left, right] = [grid[index]!, grid[index + 1]!];
  const fraction = (timeSeconds - left.timeSeconds) / (right.timeSeconds - left.timeSeconds);
  return Math.max(0, Math.round((index + fraction) * TICKS_PER_BEAT));
}
