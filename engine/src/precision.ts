/**
 * How many digits does a number of the result deserve?
 *
 * Those that say something of the sound. The others are noise of the arithmetic, do not compress, and were half of what a result takes.
 * The unit is the last word of a name, so the name decides. Rounding keeps order, and equal times stay equal: a span still ends where
 * the next begins, and a bar still begins with its beat.
 */

/** A microsecond is less than one sample at every rate that can be read, and a thousandth of what an onset can be heard to. */
const TIME_DECIMALS = 6;
/** A millionth off, a grid of 120 BPM is a tenth of a millisecond late after six hours. */
const TEMPO_DECIMALS = 6;
/** Confidences are calibrated to hundredths at best, and the descriptors are formulas over ramps that are no steeper. */
const SHARE_DECIMALS = 3;

const DECIMALS = new Map<string, number>([
  ['seconds', TIME_DECIMALS],
  ['bpm', TEMPO_DECIMALS],
  ...[
    ...['confidence', 'weight', 'strength', 'severity', 'stability', 'ratio'],
    ...['energy', 'danceability', 'valence', 'acousticness', 'instrumentalness', 'speechiness'],
  ].map((word): [string, number] => [word, SHARE_DECIMALS]),
]);

/** A step is multiplied by its place in a curve, and so would be what it is off. */
const STEP = 'hopSeconds';

export function roundNumbers<T>(value: T): T {
  return roundMember(value, null) as T;
}

function roundMember(value: unknown, decimals: number | null): unknown {
  if (typeof value === 'number') return decimals === null ? value : round(value, decimals);
  if (value === null || typeof value !== 'object') return value;
  // Long lists of plain numbers, as a curve's, have no unit in their name.
  if (Array.isArray(value)) {
    return typeof value[0] === 'number' ? value : value.map((member) => roundMember(member, null));
  }
  const members = Object.entries(value).map(([name, member]) => [
    name,
    roundMember(member, decimalsOf(name)),
  ]);
  return Object.fromEntries(members);
}

function decimalsOf(name: string): number | null {
  if (name === STEP) return null;
  const lastWord = name.slice(name.search(/(?:^|[A-Z])[a-z]*$/)).toLowerCase();
  return DECIMALS.get(lastWord) ?? null;
}

function round(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
