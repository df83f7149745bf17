import { describe, expect, it } from 'vitest';
import { tempoAccuracy1, tempoAccuracy2 } from './tempo.ts';

describe('tempo', () => {
  it('holds at exactly 4 % and not beyond', () => {
    expect(tempoAccuracy1(100, 104)).toBe(true);
    expect(tempoAccuracy1(100, 104.1)).toBe(false);
    expect(tempoAccuracy1(100, 200)).toBe(false);
    expect(tempoAccuracy2(100, 200)).toBe(true);
    expect(tempoAccuracy2(90, 30)).toBe(true);
    expect(tempoAccuracy2(100, 150)).toBe(false);
  });
});
