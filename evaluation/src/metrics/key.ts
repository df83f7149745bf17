/** Is the key right? The weighted score of MIREX Audio Key Detection: same 1, perfect fifth above 0.5, relative 0.3, parallel 0.2. */

import { parsePitchClass } from './pitch-class.ts';

export type ParsedKey = { pitchClass: number; minor: boolean };

/** Reads "Bb:min", "A minor", "F#m", "C", "CM", "C:maj". Null for anything else, such as another mode. */
export function parseKey(text: string | null): ParsedKey | null {
  const match = /^([A-G][#b]*)[\s:]*(m|min|minor|maj|major)?$/i.exec((text ?? '').trim());
  if (!match) return null;
  const mode = match[2] ?? '';
  return { pitchClass: parsePitchClass(match[1]!), minor: mode === 'm' || /^min/i.test(mode) };
}

/** 0 to 1. */
export function keyScore(reference: ParsedKey, estimate: ParsedKey | null): number {
  if (!estimate) return 0;
  const semitonesUp = (estimate.pitchClass - reference.pitchClass + 12) % 12;
  if (estimate.minor === reference.minor) return semitonesUp === 0 ? 1 : semitonesUp === 7 ? 0.5 : 0;
  if (semitonesUp === 0) return 0.2;
  return semitonesUp === (reference.minor ? 3 : 9) ? 0.3 : 0;
}
