import { expect, it } from 'vitest';
import { sourceLimitsOf } from './source-limits.ts';

const configOf = (uploadBytesMax: number, audioSecondsMax: number) =>
  ({ limits: { uploadBytesMax, audioSecondsMax } }) as Parameters<typeof sourceLimitsOf>[0];

it.each(['workspace', 'key'] as const)('allows a %s what the operator allows', (surface) => {
  const limits = { bytesMax: 500_000_000, durationSecondsMax: 10_800 };
  expect(sourceLimitsOf(configOf(500_000_000, 10_800), surface)).toEqual(limits);
});

it('allows the demo 20 MB and ten minutes, and never more than the operator allows', () => {
  expect(sourceLimitsOf(configOf(500_000_000, 10_800), 'demo')).toEqual({
    bytesMax: 20_000_000,
    durationSecondsMax: 600,
  });
  expect(sourceLimitsOf(configOf(1_000, 60), 'demo')).toEqual({ bytesMax: 1_000, durationSecondsMax: 60 });
});
