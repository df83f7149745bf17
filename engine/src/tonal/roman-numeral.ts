/**
 * What is the Roman numeral of a chord in its key: "vi", "V7", "bVII", "#iv°"?
 *
 * Chords with a major third (and suspensions) have upper-case numerals, chords with a minor third lower-case ones. Degrees are those of the major scale
 * in major keys and of the natural minor scale in minor keys: III, VI and VII of A minor are C, F and G, and its leading-note triad is #vii°. The
 * notation is that of English harmony textbooks and chord charts.
 */

import type { ChordQuality } from './chord-quality.ts';
import { scaleOf, tonicOf } from './key-name.ts';

const MAJOR_DEGREES = ['I', 'bII', 'II', 'bIII', 'III', 'IV', '#IV', 'V', 'bVI', 'VI', 'bVII', 'VII'];
const MINOR_DEGREES = ['I', 'bII', 'II', 'III', '#III', 'IV', '#IV', 'V', 'VI', '#VI', 'VII', '#VII'];

const FORMS: Readonly<Record<ChordQuality, { isLowerCase: boolean; suffix: string }>> = {
  maj: { isLowerCase: false, suffix: '' },
  min: { isLowerCase: true, suffix: '' },
  '7': { isLowerCase: false, suffix: '7' },
  maj7: { isLowerCase: false, suffix: 'maj7' },
  min7: { isLowerCase: true, suffix: '7' },
  dim: { isLowerCase: true, suffix: '°' },
  hdim7: { isLowerCase: true, suffix: 'ø7' },
  sus4: { isLowerCase: false, suffix: 'sus4' },
  aug: { isLowerCase: false, suffix: '+' },
};

export function toRomanNumeral(root: number, quality: ChordQuality, key: number): string {
  const degrees = scaleOf(key) === 'major' ? MAJOR_DEGREES : MINOR_DEGREES;
  const degree = degrees[(root - tonicOf(key) + 12) % 12]!;
  const { isLowerCase, suffix } = FORMS[quality];
  return (isLowerCase ? degree.replace(/[IV]+/, (numeral) => numeral.toLowerCase()) : degree) + suffix;
}
