/** Which numbers of an embedding tell what (docs/result-format.md#embedding), by its version. */

export type Aspect = 'sound' | 'harmony' | 'rhythm' | 'all';

type Span = readonly [from: number, to: number];

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

/** Null for a version, or a length, that we do not know. */
export function partsOf(version: number, length: number, aspect: Aspect): readonly Span[] | null {
  const layout = LAYOUTS[version];
  return layout?.length === length ? layout.parts[aspect] : null;
}

/** Results from before versions were written had the first. */
export const FIRST_VERSION = 1;

/** 0 to 1: 1 for the same, 0.5 for nothing in common; what is unknown of either speaks neither for nor against. */
export function likeness(a: Float32Array, b: Float32Array, parts: readonly Span[]): number {
  let dot = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (const [from, to] of parts) {
    for (let at = from; at < to; at++) {
      const [x, y] = [a[at]!, b[at]!];
      dot += x * y;
      squaresA += x * x;
      squaresB += y * y;
    }
  }
  const lengths = Math.sqrt(squaresA * squaresB);
  return lengths === 0 ? 0.5 : Math.min(1, Math.max(0, (1 + dot / lengths) / 2));
}
