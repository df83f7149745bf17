import { PITCH_NAMES, SCALES } from '@earshot/contract';
import { describe, expect, it } from 'vitest';
import { keyChoices } from './result.ts';

describe('keys a correction can name', () => {
  it('are those of the service, in its spelling', () => {
    const keys = PITCH_NAMES.flatMap((tonic) => SCALES.map((scale) => `${tonic} ${scale}`));
    expect([...keyChoices(null)].sort()).toEqual([...keys].sort());
  });

  it.each(['C# minor', 'Db major', 'G# minor'])('hold %s when it is the one that was kept', (kept) => {
    expect(keyChoices(kept).filter((key) => key === kept)).toEqual([kept]);
  });
});
