import { PITCH_NAMES, SCALES } from '@earshot/contract';
import { describe, expect, it } from 'vitest';
import { keyName } from './music/spelling.ts';
import { KEYS } from './result.ts';

describe('keys a correction can name', () => {
  it('are the twenty-four of the service, each spelled by its signature', () => {
    const keys = PITCH_NAMES.flatMap((tonic) => SCALES.map((scale) => keyName(tonic, scale)));
    expect([...KEYS].sort()).toEqual([...keys].sort());
  });
});
