import { describe, expect, it } from 'vitest';
import { safeText } from './safe-text.ts';

describe('safeText', () => {
  it.each([
    ['a\0b\u001b[31mc\r\nd\u2028e\u0085f', 'a b [31mc d e f'],
    ['half \ud83c of a pair, and a whole 🎵', 'half \ufffd of a pair, and a whole 🎵'],
    ['\u202egnp.exe\u202c', 'gnp.exe'],
    ['  \t\n ', ''],
    ['Für Élise — 第一楽章', 'Für Élise — 第一楽章'],
    ['क्‍ष', 'क्‍ष'],
  ])('%j becomes %j', (given, expected) => {
    expect(safeText(given)).toBe(expected);
  });

  it.each([
    ['a separator of paragraphs', '\u2029'],
    ['a bidirectional mark', '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'],
    ['a byte order mark', '\ufeff'],
    ['a mark of an annotation', '\ufff9\ufffa\ufffb'],
  ])('has a space in place of %s', (_, marks) => {
    expect([...marks].map((mark) => safeText(`a${mark}b`))).toEqual([...marks].map(() => 'a b'));
  });

  it('has no space at its ends, wherever it is cut', () => {
    expect(safeText(`${' '.repeat(500)}title`)).toBe('title');
    expect(safeText(`${'a'.repeat(499)} b`)).toBe('a'.repeat(499));
  });

  it('cuts at 500 characters, and never inside a surrogate pair', () => {
    expect(safeText('🎵'.repeat(10_000))).toBe('🎵'.repeat(500));
  });
});
