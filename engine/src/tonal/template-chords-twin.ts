import { sumRowSquaresTwin } from '../signal/row-squares-twin.ts';
import { PITCH_CLASS_COUNT } from './key-name.ts';
import { BASS_TEMPLATE, BASS_WEIGHT, SHARPNESS } from './template-chords.ts';

const TRIAD_SEMITONES = { fifth: 7, majorThird: 4, minorThird: 3 };

/** Twin of the kernel matchTriads, for one frame: the scores of the 24 triads times SHARPNESS. */
export function matchTriadsTwin(
  middle: Float32Array,
  bass: Float32Array,
  middleFloor: number,
  bassFloor: number,
): Float32Array {
  const middleScale = 1 / (Math.sqrt(sumRowSquaresTwin(middle)) + middleFloor) / Math.sqrt(3);
  const bassScale = BASS_WEIGHT / (Math.sqrt(sumRowSquaresTwin(bass)) + bassFloor);
  return Float32Array.from({ length: 2 * PITCH_CLASS_COUNT }, (_, triad) => {
    const root = triad % PITCH_CLASS_COUNT;
    const fifth = (root + TRIAD_SEMITONES.fifth) % PITCH_CLASS_COUNT;
    const thirdSemitones =
      triad < PITCH_CLASS_COUNT ? TRIAD_SEMITONES.majorThird : TRIAD_SEMITONES.minorThird;
    const third = (root + thirdSemitones) % PITCH_CLASS_COUNT;
    const openFifth = middle[root]! + middle[fifth]!;
    const low = BASS_TEMPLATE.root * bass[root]! + BASS_TEMPLATE.fifth * bass[fifth]!;
    const score =
      middleScale * (openFifth + middle[third]!) + bassScale * (low + BASS_TEMPLATE.third * bass[third]!);
    return SHARPNESS * score;
  });
}
