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

  it('cuts at 500 characters, and never inside a surrogate pair', () => {
    expect(safeText('🎵'.repeat(10_000))).toBe('🎵'.repeat(500));
  });
});
