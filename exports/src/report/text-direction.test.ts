import { expect, it } from 'vitest';
import { orderLine } from './text-direction.ts';

/** As a reader sees the line from left to right: a font turns the pieces that begin with a letter from right to left. */
function seen(line: string): string {
  return orderLine(line)
    .map((piece) =>
      /^[^\p{sc=Latn}]*[\p{sc=Hebr}\p{sc=Arab}]/u.test(piece) ? [...piece].reverse().join('') : piece,
    )
    .join('');
}

it.each([
  // Each line from left to right; the Hebrew words are those for peace, world and song.
  ['Hello (World) 3', 'Hello (World) 3'],
  ['שלום עולם', 'םלוע םולש'],
  ['שלום עולם!', '!םלוע םולש'],
  ['שיר (remix)', '(remix) ריש'],
  ['שיר (remix) live', 'live (remix) ריש'],
  ['שיר (עולם)', '(םלוע) ריש'],
  ['Song (שלום עולם) live', 'Song (םלוע םולש) live'],
  ['Song שלום 12:30 עולם', 'Song םלוע 12:30 םולש'],
  ['שיר 3.5 עולם', 'םלוע 3.5 ריש'],
  ['שלום Part 2', 'Part 2 םולש'],
  ['2024 שלום', 'םולש 2024'],
  ['שיר ۱۲ عالم', 'ملاع ۱۲ ריש'],
  ['مرحبا يا عالم', 'ملاع اي ابحرم'],
  ['', ''],
])('%j is seen as %j', (line, shown) => {
  expect(seen(line)).toBe(shown);
});
