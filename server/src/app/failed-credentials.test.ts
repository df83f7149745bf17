import { expect, it } from 'vitest';
import { createFailedCredentials } from './failed-credentials.ts';

const now = new Date('2026-03-01T12:00:00Z');

it('remembers the ten thousand credentials that were accepted last', () => {
  const failed = createFailedCredentials(1);
  failed.noteFailure('address', now);
  for (let count = 0; count < 10_000; count += 1) failed.noteSuccess(`key ${count}`, now);
  // Used again, it is no longer the oldest.
  failed.noteSuccess('key 0', now);
  failed.noteSuccess('one more', now);
  expect(() => failed.assertBelowLimit('address', 'key 0', now)).not.toThrow();
  expect(() => failed.assertBelowLimit('address', 'key 2', now)).not.toThrow();
  expect(() => failed.assertBelowLimit('address', 'key 1', now)).toThrow(
    expect.objectContaining({ code: 'rate_limited' }),
  );
});
