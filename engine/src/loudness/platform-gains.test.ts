import { expect, it } from 'vitest';
import { listPlatformGains } from './platform-gains.ts';

const gainOf = (platform: string, integratedLufs: number | null, truePeakDbtp: number | null) =>
  listPlatformGains(integratedLufs, truePeakDbtp).find((entry) => entry.platform === platform);

it('turns a loud track down to the target, whatever its peak', () => {
  expect(gainOf('spotify', -9, 0.5)).toMatchObject({ gainDb: -5, truePeakAfterDbtp: -4.5, limited: false });
  expect(gainOf('apple_music', -9, 0.5)).toMatchObject({ gainDb: -7, limited: false });
  expect(gainOf('youtube', -9, 0.5)).toMatchObject({ gainDb: -5, limited: false });
});

it('turns a soft track up to the target, or until its true peak is at -1 dBTP', () => {
  expect(gainOf('spotify', -20, -12)).toMatchObject({ gainDb: 6, truePeakAfterDbtp: -6, limited: false });
  expect(gainOf('spotify', -20, -5)).toMatchObject({ gainDb: 4, truePeakAfterDbtp: -1, limited: true });
  expect(gainOf('spotify', -20, -0.5)).toMatchObject({ gainDb: 0, truePeakAfterDbtp: -0.5, limited: true });
});

it('never turns a track up on YouTube, and others to their targets', () => {
  expect(gainOf('youtube', -20, -12)).toMatchObject({ gainDb: 0, truePeakAfterDbtp: -12, limited: true });
  const gains = listPlatformGains(-20, -12).map(({ platform, targetLufs, gainDb }) => [
    platform,
    targetLufs,
    gainDb,
  ]);
  expect(gains).toEqual([
    ['spotify', -14, 6],
    ['apple_music', -16, 4],
    ['youtube', -14, 0],
    ['tidal', -14, 6],
    ['amazon_music', -14, 6],
    ['podcast', -16, 4],
  ]);
});

it('is unknown without a loudness or a peak', () => {
  const unknown = { gainDb: null, truePeakAfterDbtp: null, limited: false };
  expect(gainOf('spotify', null, -5)).toMatchObject(unknown);
  expect(gainOf('spotify', -14, null)).toMatchObject(unknown);
});
