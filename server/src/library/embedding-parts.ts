/** Which dimensions of an embedding describe what, by its version (docs/result-format.md#embedding). */

export type Aspect = 'sound' | 'harmony' | 'rhythm' | 'all';

/** Dimensions `[from, to)`. */
export type Span = readonly [from: number, to: number];

const TIMBRE: Span = [0, 38];
const HARMONY: Span = [38, 44];
const RHYTHM: Span = [44, 48];
const DYNAMICS: Span = [48, 50];
const TAGGER: Span = [50, 250];

const LAYOUTS: Readonly<Record<number, { length: number; parts: Record<Aspect, readonly Span[]> }>> = {
  1: {
    length: 50,
    parts: { sound: [TIMBRE, DYNAMICS], harmony: [HARMONY], rhythm: [RHYTHM], all: [[0, 50]] },
  },
  2: {
    length: 250,
    parts: { sound: [TIMBRE, DYNAMICS, TAGGER], harmony: [HARMONY], rhythm: [RHYTHM], all: [[0, 250]] },
  },
};

/** Null for an unknown version, or a length that does not match it. */
export function partsOf(version: number, length: number, aspect: Aspect): readonly Span[] | null {
  const layout = LAYOUTS[version];
  return layout?.length === length ? layout.parts[aspect] : null;
}

/** The version of results that do not state one. */
export const FIRST_VERSION = 1;
