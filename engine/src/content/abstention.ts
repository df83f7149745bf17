/**
 * A beat tracker finds beats in everything, and a key finder keys. Where the whole file is speech or noise, neither is asked.
 */

import type { Content } from '../result.ts';

/** Of the regions, weighted by length. */
const CONFIDENCE_MIN = 0.8;
/** A tempo that is surer than this is one, even if what has it is a metronome or a clock. */
const PLAIN_PULSE_CONFIDENCE = 0.75;

/** The reason to say nothing about beats, keys and form; null when there may be music. */
export function findReasonToAbstain({ regions }: Pick<Content, 'regions'>): 'speech' | 'noise' | null {
  const sounding = regions.filter(({ kind }) => kind !== 'silence');
  if (sounding.length === 0 || sounding.some(({ kind }) => kind === 'music')) return null;
  let seconds = 0;
  let speech = 0;
  let confidence = 0;
  for (const region of sounding) {
    const length = region.endSeconds - region.startSeconds;
    seconds += length;
    confidence += length * region.confidence;
    if (region.kind === 'speech') speech += length;
  }
  if (confidence < CONFIDENCE_MIN * seconds) return null;
  return speech >= seconds / 2 ? 'speech' : 'noise';
}

/** What the taggers take for noise has no key, but may have a plain tempo. */
export function hasPlainPulse({ confidence }: { confidence: number | null }): boolean {
  return confidence !== null && confidence >= PLAIN_PULSE_CONFIDENCE;
}
