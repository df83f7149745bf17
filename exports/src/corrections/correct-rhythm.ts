/**
 * Corrects the tempo, the bars and individual beats.
 *
 * For a tempo that is a simple multiple of the heard one, the tracked beats, which follow the music, are divided or thinned. Any other
 * tempo gets an even grid through the first downbeat. Bars are then counted from a downbeat in both directions.
 */

import { COMMON_TIME_BEATS } from '../beat-grid.ts';
import { mod } from '../modulo.ts';
import type { Beat, Rhythm } from '../result-document.ts';
import { changeLevel, editBeats, findBeatNear, findLevel, type Level, layEvenly } from './beat-times.ts';
import { type BeatEdits, CorrectionContradicts, type Corrections } from './corrections.ts';

const LEVEL_FACTORS = { double: 2, half: 1 / 2, triple: 3, third: 1 / 3 } as const;
/** The range that the interface accepts (contract/src/resources/correction.ts). */
const BPM_MIN = 20;
const BPM_MAX = 400;

export function correctRhythm(rhythm: Rhythm, durationSeconds: number, corrections: Corrections): Rhythm {
  const heardSeconds = rhythm.beats.map((beat) => beat.time_seconds);
  const bpm = corrections.tempo == null ? rhythm.bpm : resolveTempo(rhythm.bpm, corrections.tempo);
  const heardAnchorIndex = Math.max(
    0,
    rhythm.beats.findIndex((beat) => beat.beat_in_bar === 1),
  );
  const { timesSeconds, level } = layBeats(rhythm, heardAnchorIndex, durationSeconds, corrections, bpm);
  const anchorIndex = findAnchorIndex(timesSeconds, heardSeconds[heardAnchorIndex] ?? 0, corrections);
  const recounted = recountsBars(corrections) ? correctMeter(rhythm, durationSeconds, corrections) : null;
  const counted =
    recounted === null ? rhythm.beats : countBars(timesSeconds, anchorIndex, recounted.beats_per_bar);
  const beats =
    corrections.beats == null ? counted : editCounted(counted, corrections.beats, durationSeconds);
  return {
    ...rhythm,
    bpm,
    confidence: corrections.tempo == null ? rhythm.confidence : 1,
    stability: level === null ? 1 : rhythm.stability,
    tempo_curve: correctCurve(rhythm, bpm, level === null, beats),
    beats,
    downbeats: beats
      .filter((beat) => beat.beat_in_bar === 1)
      .map(({ time_seconds, confidence }) => ({ time_seconds, confidence })),
    time_signature: recounted ?? rhythm.time_signature,
    // Swing was measured on the eighths of the heard beat.
    swing: level?.trueBeats === 1 && level.heardBeats === 1 ? rhythm.swing : null,
  };
}

function resolveTempo(heardBpm: number | null, tempo: NonNullable<Corrections['tempo']>): number {
  if (typeof tempo === 'number') return tempo;
  if (heardBpm === null) {
    throw new CorrectionContradicts(
      ['tempo'],
      `no tempo was heard that "${tempo}" could be of; say it in BPM`,
    );
  }
  const bpm = heardBpm * LEVEL_FACTORS[tempo];
  if (bpm < BPM_MIN || bpm > BPM_MAX) {
    const words = `${tempo} of ${heardBpm.toFixed(2)} is beyond ${BPM_MIN} to ${BPM_MAX} BPM`;
    throw new CorrectionContradicts(['tempo'], words);
  }
  return bpm;
}

const AS_HEARD: Level = { trueBeats: 1, heardBeats: 1 };

/** A null level means that an even grid has replaced the tracked beats. */
function layBeats(
  rhythm: Rhythm,
  heardAnchorIndex: number,
  durationSeconds: number,
  corrections: Corrections,
  bpm: number | null,
): { timesSeconds: number[]; level: Level | null } {
  const heardSeconds = rhythm.beats.map((beat) => beat.time_seconds);
  if (corrections.tempo == null || bpm === null) return { timesSeconds: heardSeconds, level: AS_HEARD };
  const level = rhythm.bpm === null || heardSeconds.length < 2 ? null : findLevel(rhythm.bpm, bpm);
  const anchorSeconds = corrections.first_downbeat_seconds ?? heardSeconds[heardAnchorIndex] ?? 0;
  if (level !== null) {
    const anchorIndex = findBeatNear(heardSeconds, anchorSeconds, Number.POSITIVE_INFINITY) ?? 0;
    return { timesSeconds: changeLevel(heardSeconds, level, anchorIndex, durationSeconds), level };
  }
  return { timesSeconds: layEvenly(bpm, anchorSeconds, durationSeconds), level: null };
}

/** The index of a downbeat; may be negative or beyond the last beat after a shift. */
function findAnchorIndex(
  timesSeconds: readonly number[],
  heardAnchorSeconds: number,
  corrections: Corrections,
): number {
  const { first_downbeat_seconds: givenSeconds, shift_beats: shiftBeats } = corrections;
  if (givenSeconds == null) {
    const near = findBeatNear(timesSeconds, heardAnchorSeconds, Number.POSITIVE_INFINITY) ?? 0;
    return near + (shiftBeats ?? 0);
  }
  const beatSeconds =
    timesSeconds.length < 2 ? 0 : (timesSeconds.at(-1)! - timesSeconds[0]!) / (timesSeconds.length - 1);
  const near = findBeatNear(timesSeconds, givenSeconds, beatSeconds);
  if (near === null) {
    const words = `there is no beat near ${givenSeconds} s that could be the first of a bar`;
    throw new CorrectionContradicts(['first_downbeat_seconds'], words);
  }
  return near;
}

function recountsBars({ tempo, first_downbeat_seconds, shift_beats, beats_per_bar }: Corrections): boolean {
  return tempo != null || first_downbeat_seconds != null || shift_beats != null || beats_per_bar != null;
}

function countBars(timesSeconds: readonly number[], anchorIndex: number, beatsPerBar: number): Beat[] {
  const firstBar = Math.floor(-anchorIndex / beatsPerBar);
  return timesSeconds.map((time_seconds, index) => ({
    time_seconds,
    confidence: 1,
    beat_in_bar: mod(index - anchorIndex, beatsPerBar) + 1,
    bar: Math.floor((index - anchorIndex) / beatsPerBar) - firstBar,
  }));
}

/** A moved beat keeps its place in the bar. After an added or removed beat all are counted again, by the longest bar. */
function editCounted(counted: readonly Beat[], edits: BeatEdits, durationSeconds: number): Beat[] {
  const { timesSeconds, kept } = editBeats(
    counted.map((beat) => beat.time_seconds),
    edits,
    durationSeconds,
  );
  const onlyMoved = timesSeconds.length === counted.length && kept.size === counted.length;
  if (onlyMoved) {
    return timesSeconds.map((time_seconds, index) => {
      const was = counted[kept.get(index)!]!;
      return { ...was, time_seconds, confidence: time_seconds === was.time_seconds ? was.confidence : 1 };
    });
  }
  const beatsPerBar = Math.max(1, ...counted.map((beat) => beat.beat_in_bar));
  const anchorIndex = [...kept].find(([, was]) => counted[was]!.beat_in_bar === 1)?.[0] ?? 0;
  return countBars(timesSeconds, anchorIndex, beatsPerBar).map((beat, index) => {
    const was = counted[kept.get(index) ?? -1];
    return was?.time_seconds === beat.time_seconds ? { ...beat, confidence: was.confidence } : beat;
  });
}

function correctCurve(
  rhythm: Rhythm,
  bpm: number | null,
  isEven: boolean,
  beats: readonly Beat[],
): Rhythm['tempo_curve'] {
  if (bpm === null || bpm === rhythm.bpm) return rhythm.tempo_curve;
  if (isEven || rhythm.bpm === null) {
    return beats.length === 0 ? [] : [{ time_seconds: beats[0]!.time_seconds, bpm }];
  }
  const factor = bpm / rhythm.bpm;
  return rhythm.tempo_curve.map((point) => ({ ...point, bpm: point.bpm * factor }));
}

/** Of bars that are counted again. A meter that nobody heard or gave is assumed, with confidence 0. */
function correctMeter(
  rhythm: Rhythm,
  durationSeconds: number,
  corrections: Corrections,
): NonNullable<Rhythm['time_signature']> {
  const beats_per_bar =
    corrections.beats_per_bar ?? rhythm.time_signature?.beats_per_bar ?? COMMON_TIME_BEATS;
  const confidence = corrections.beats_per_bar == null ? (rhythm.time_signature?.confidence ?? 0) : 1;
  const changes = [{ start_seconds: 0, end_seconds: durationSeconds, beats_per_bar, confidence }];
  return { beats_per_bar, confidence, changes };
}
