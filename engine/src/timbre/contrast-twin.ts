import { END_BANDS } from './contrast.ts';

/** The twin of the kernel `findOctaveEnds`, for one octave: the means of its strongest and of its weakest bands, or zeros if it is silent. */
export function findOctaveEndsTwin(bands: Float32Array, silenceMagnitude: number): [number, number] {
  const sorted = bands.toSorted();
  if (sorted.at(-1)! <= silenceMagnitude) return [0, 0];
  const meanOf = (values: Float32Array): number => values.reduce((sum, value) => sum + value / END_BANDS, 0);
  return [meanOf(sorted.toReversed().subarray(0, END_BANDS)), meanOf(sorted.subarray(0, END_BANDS))];
}
