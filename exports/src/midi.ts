import { barLengths, buildBeatGrid, type GridBeat } from './beat-grid.ts';
import { type ExportSource, ExportUnavailable, requireGroup, songTitle } from './export-source.ts';
import { type MidiEvent, writeMidiFile } from './midi-file.ts';
import { pitchClassOf, signatureOf } from './pitch-class.ts';

/**
 * A tempo map that follows the tracked beats, one tempo per beat, with sections as markers, keys as signatures and a click on
 * channel 10. Dropped at the start of the audio, the bar lines of a DAW fall on the music.
 */

const TICKS_PER_BEAT = 480;
const MICROSECONDS_PER_BEAT_MAX = 0xffffff;
const CLICK_CHANNEL = 9;
const CLICK_TICKS = 60;
/** General MIDI hi and low wood block. */
const ACCENT_NOTE = 76;
const BEAT_NOTE = 77;

export function writeMidi(source: ExportSource): Uint8Array {
  const rhythm = requireGroup(source, 'rhythm');
  if (rhythm.beats.length < 2) {
    throw new ExportUnavailable(
      'No steady beat was found in this audio, and a tempo map is made from beats.',
    );
  }
  const grid = buildBeatGrid(rhythm.beats);
  const map = [
    { tick: 0, event: { kind: 'name', text: songTitle(source) } },
    ...tempoEvents(grid),
    ...meterEvents(grid),
    ...keyEvents(source, grid),
    ...markerEvents(source, grid),
  ] satisfies MidiEvent[];
  const click = [
    { tick: 0, event: { kind: 'name', text: 'Click' } },
    ...clickEvents(grid),
  ] satisfies MidiEvent[];
  return writeMidiFile({ ticksPerBeat: TICKS_PER_BEAT, tracks: [map, click] });
}

/** Each tempo is the distance to the next beat less what rounding has left over so far, so that nothing drifts. */
function tempoEvents(grid: readonly GridBeat[]): MidiEvent[] {
  let writtenMicroseconds = 0;
  return grid.slice(0, -1).map((_, index) => {
    const targetMicroseconds = (grid[index + 1]?.timeSeconds ?? 0) * 1e6;
    const rounded = Math.round(targetMicroseconds - writtenMicroseconds);
    const microsecondsPerBeat = Math.min(Math.max(rounded, 1), MICROSECONDS_PER_BEAT_MAX);
    writtenMicroseconds += microsecondsPerBeat;
    return { tick: index * TICKS_PER_BEAT, event: { kind: 'tempo', microsecondsPerBeat } };
  });
}

function meterEvents(grid: readonly GridBeat[]): MidiEvent[] {
  const bars = barLengths(grid);
  const lastBar = bars.length - 1;
  let current = 0;
  return bars.flatMap(({ beatIndex, beats }, index): MidiEvent[] => {
    // The file may end in the middle of a bar; that does not change its meter.
    if (beats === current || (index === lastBar && index > 0)) return [];
    current = beats;
    return [
      { tick: beatIndex * TICKS_PER_BEAT, event: { kind: 'meter', beatsPerBar: Math.min(beats, 255) } },
    ];
  });
}

function keyEvents(source: ExportSource, grid: readonly GridBeat[]): MidiEvent[] {
  return (source.document.tonal?.key_changes ?? []).flatMap((change): MidiEvent[] => {
    const pitchClass = pitchClassOf(change.key);
    if (pitchClass === null) return [];
    const sharps = signatureOf(pitchClass, change.scale);
    const event = { kind: 'key', sharps, minor: change.scale === 'minor' } as const;
    return [{ tick: tickAt(grid, change.start_seconds), event }];
  });
}

function markerEvents(source: ExportSource, grid: readonly GridBeat[]): MidiEvent[] {
  return (source.document.structure?.sections ?? []).map((section) => ({
    tick: tickAt(grid, section.start_seconds),
    event: { kind: 'marker', text: `${section.label} (${section.group})` },
  }));
}

function clickEvents(grid: readonly GridBeat[]): MidiEvent[] {
  return grid.flatMap((beat, index): MidiEvent[] => {
    if (!beat.tracked) return [];
    const note = beat.downbeat ? ACCENT_NOTE : BEAT_NOTE;
    const velocity = beat.downbeat ? 112 : 80;
    const tick = index * TICKS_PER_BEAT;
    return [
      { tick, event: { kind: 'note', channel: CLICK_CHANNEL, note, velocity } },
      { tick: tick + CLICK_TICKS, event: { kind: 'note', channel: CLICK_CHANNEL, note, velocity: 0 } },
    ];
  });
}

/** Where on the grid a time lies; the outermost beats go on at their own tempo. */
function tickAt(grid: readonly GridBeat[], timeSeconds: number): number {
  const after = grid.findIndex((beat) => beat.timeSeconds > timeSeconds);
  const index = Math.min(Math.max((after === -1 ? grid.length : after) - 1, 0), grid.length - 2);
  const [left, right] = [grid[index]!, grid[index + 1]!];
  const fraction = (timeSeconds - left.timeSeconds) / (right.timeSeconds - left.timeSeconds);
  return Math.max(0, Math.round((index + fraction) * TICKS_PER_BEAT));
}
