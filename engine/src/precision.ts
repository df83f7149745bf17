/**
 * Rounds the numbers of the result to the digits that say something about the sound.
 *
 * Further digits are arithmetic noise, which does not compress. A field's unit is the last word of its name, so the name decides how many
 * are kept. Rounding preserves order and equality: a span still ends where the next begins, and a bar still begins on its beat.
 */

/** A microsecond is shorter than a sample at any supported rate, and a thousandth of the accuracy of an onset. */
const TIME_DECIMALS = 6;
/** With the tempo rounded to a millionth, a beat grid of 120 BPM is at most a tenth of a millisecond off after six hours. */
const TEMPO_DECIMALS = 6;
/** Confidences are accurate to hundredths at best, and the descriptors' weights are set by hand. */
const SHARE_DECIMALS = 3;

const DECIMALS = new Map<string, number>([
  ['seconds', TIME_DECIMALS],
  ['bpm', TEMPO_DECIMALS],
  ...[
    ...['confidence', 'weight', 'strength', 'severity', 'stability', 'ratio'],
    ...['energy', 'danceability', 'valence', 'acousticness', 'instrumentalness', 'speechiness'],
  ].map((word): [string, number] => [word, SHARE_DECIMALS]),
]);

/** Not rounded: a value's time is this step times its index, which would multiply the error. */
const UNROUNDED_STEP = 'hopSeconds';

export function roundNumbers<T>(value: T): T {
  return roundMember(value, null) as T;
}

function roundMember(value: unknown, decimals: number | null): unknown {
  if (typeof value === 'number') return decimals === null ? value : round(value, decimals);
  if (value === null || typeof value !== 'object') return value;
  // Lists of plain numbers, such as the values of a curve, have no unit in their name.
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
  if (name === UNROUNDED_STEP) return null;
  const lastWord = name.slice(name.search(/(?:^|[A-Z])[a-z]*$/)).toLowerCase();
  return DECIMALS.get(lastWord) ?? null;
}

function round(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
