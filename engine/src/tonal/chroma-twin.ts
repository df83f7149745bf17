import { PITCH_CLASS_COUNT } from './key-name.ts';

/** Twin of the kernel foldOctaves, for one frame of semitones. */
export function foldOctavesTwin(semitones: Float64Array, bell: Float64Array): Float32Array {
  const folded = new Float32Array(PITCH_CLASS_COUNT);
  semitones.forEach((value, s) => {
    folded[s % PITCH_CLASS_COUNT]! += value * bell[s]!;
  });
  return folded;
}
