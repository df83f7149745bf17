import { expect, it } from 'vitest';
import { judgeScenarios } from './bench-scenarios.ts';

const AUDIO_SECONDS = { five: 300, one: 60, clip: 30, four: 1200 };

it('meets a goal exactly at its limit', () => {
  // 300 s at 200 × real time, 60 s at 80 ×, half a second, and 0.6 of ffmpeg.
  const least = new Map(Object.entries({ five: 1.5, one: 0.75, clip: 0.5, four: 6, ffmpeg: 10 }));
  const scenarios = judgeScenarios(least, AUDIO_SECONDS);
  expect(scenarios.map(({ met }) => met)).toEqual([true, true, true, true, null]);
  expect(scenarios.map(({ audioSeconds }) => audioSeconds)).toEqual([300, 60, 30, 1200, 1200]);
  expect(scenarios.map(({ cpuSeconds }) => cpuSeconds)).toEqual([1.5, 0.75, 0.5, 6, 10]);
});

it('misses a goal beyond its limit, and pairs each time with that of the other checkout', () => {
  const least = new Map(
    Object.entries({
      ...{ five: 1.51, one: 0.76, clip: 0.51, four: 6.01, ffmpeg: 10 },
      ...{ 'five, before': 1, 'four, before': 7 },
    }),
  );
  const scenarios = judgeScenarios(least, AUDIO_SECONDS);
  expect(scenarios.map(({ met }) => met)).toEqual([false, false, false, false, null]);
  expect(scenarios.map(({ beforeCpuSeconds }) => beforeCpuSeconds)).toEqual([1, null, null, 7, null]);
});

it('cannot judge the ratio to ffmpeg without ffmpeg', () => {
  const scenarios = judgeScenarios(
    new Map(Object.entries({ five: 1, one: 1, clip: 1, four: 1 })),
    AUDIO_SECONDS,
  );
  expect(scenarios.map(({ met }) => met)).toEqual([true, false, false, null]);
});
