/**
 * What are the tempo, key, loudness, energy and share of voice of each section?
 *
 * Summaries of what was measured for the whole piece: the median interval between beats, the key of most of the time, the mean power.
 */

import { medianOf } from '../median.ts';
import type { Curve, KeySpan, Section } from '../result.ts';
import { notateKey } from '../tonal/key-notation.ts';

/** Sections this far below the loudest have an energy of 0; set by hand. */
const ENERGY_RANGE_LU = 20;
/** Two beats give a single interval, of which there is no meaningful median. */
const BEATS_MIN = 3;
/** From this probability on, a voice is more likely than not. */
const VOICE_PROBABILITY_MIN = 0.5;

/** What was measured for the whole piece. */
export type FactSources = {
  beatsSeconds: readonly number[];
  keySpans: readonly KeySpan[];
  loudness: Curve;
};

export function findFacts(
  { beatsSeconds, keySpans, loudness }: FactSources,
  startSeconds: number,
  endSeconds: number,
): Pick<Section, 'bpm' | 'key' | 'loudnessLufs'> {
  return {
    bpm: findTempo(beatsSeconds, startSeconds, endSeconds),
    key: findKey(keySpans, startSeconds, endSeconds),
    loudnessLufs: findLoudness(loudness, startSeconds, endSeconds),
  };
}

/** 1 for the loudest section, falling linearly to 0 at ENERGY_RANGE_LU below it; null in silence. */
export function rateEnergies(loudnessLufs: readonly (number | null)[]): (number | null)[] {
  const loudestLufs = Math.max(...loudnessLufs.map((value) => value ?? Number.NEGATIVE_INFINITY));
  return loudnessLufs.map((value) =>
    value === null ? null : Math.max(0, Math.min(1, 1 - (loudestLufs - value) / ENERGY_RANGE_LU)),
  );
}

function findTempo(beatsSeconds: readonly number[], startSeconds: number, endSeconds: number): number | null {
  const inside = beatsSeconds.filter((seconds) => seconds >= startSeconds && seconds < endSeconds);
  if (inside.length < BEATS_MIN) return null;
  return 60 / medianOf(inside.slice(1).map((seconds, index) => seconds - inside[index]!));
}

function findKey(keySpans: readonly KeySpan[], startSeconds: number, endSeconds: number): string | null {
  const secondsByKey = new Map<string, number>();
  for (const span of keySpans) {
    const overlapSeconds = Math.min(endSeconds, span.endSeconds) - Math.max(startSeconds, span.startSeconds);
    if (overlapSeconds <= 0) continue;
    const name = notateKey(span.key, span.scale);
    secondsByKey.set(name, (secondsByKey.get(name) ?? 0) + overlapSeconds);
  }
  const longestSeconds = Math.max(...secondsByKey.values());
  return [...secondsByKey.keys()].find((name) => secondsByKey.get(name) === longestSeconds) ?? null;
}

/** The level of the mean power, where silence counts as zero power; null if all of the section is silent. */
function findLoudness(curve: Curve, startSeconds: number, endSeconds: number): number | null {
  const first = Math.max(0, Math.ceil((startSeconds - curve.startSeconds) / curve.hopSeconds));
  const end = Math.min(curve.values.length, Math.ceil((endSeconds - curve.startSeconds) / curve.hopSeconds));
  let power = 0;
  let count = 0;
  for (let index = first; index < end; index++) {
    const levelLufs = curve.values[index] ?? null;
    count++;
    if (levelLufs !== null) power += 10 ** (levelLufs / 10);
  }
  return power > 0 ? 10 * Math.log10(power / count) : null;
}

/** The share of the section in which there probably is a voice; null outside the curve. */
export function findVoiceShare(curve: Curve, startSeconds: number, endSeconds: number): number | null {
  const first = Math.round((startSeconds - curve.startSeconds) / curve.hopSeconds);
  const end = Math.round((endSeconds - curve.startSeconds) / curve.hopSeconds);
  const inside = curve.values.slice(Math.max(0, first), Math.max(0, end));
  if (inside.length === 0) return null;
  return inside.filter((value) => value !== null && value >= VOICE_PROBABILITY_MIN).length / inside.length;
}
