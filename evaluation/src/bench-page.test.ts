import { expect, it } from 'vitest';
import { formatScenarios } from './bench-page.ts';
import type { Scenario } from './bench-scenarios.ts';

const scenario = (name: string, cpuSeconds: number, rest: Partial<Scenario> = {}): Scenario => ({
  ...{ name, audioSeconds: 300, cpuSeconds, beforeCpuSeconds: null, goal: null, met: null },
  ...rest,
});

it('compares each scenario with ffmpeg on the same audio, with the other checkout and with the goal', () => {
  const text = formatScenarios({
    scenarios: [
      scenario('ours', 1.5, { beforeCpuSeconds: 3, goal: '≥ 200 ×', met: true }),
      scenario('late', 6, { goal: '≥ 200 ×', met: false }),
      scenario('a clip', 0.5, { audioSeconds: 30 }),
      scenario('ffmpeg: loudness', 2),
    ],
    stages: [['decoding', 0.6]],
    peers:
      'librosa beats                                     100 x real time    10.00 ms per second\nEssentia is not installed\n',
    songSeconds: 300,
    roundCount: 3,
    loadAverage: 0.25,
    coreCount: 16,
  });
  expect(text).toContain('load average of the machine at the end: 0.3 on 16 cores.');
  expect(text.split('\n').filter((line) => line.startsWith('| '))).toEqual([
    '| | processor | × real time | of ffmpeg | before | of before | goal |',
    '| ours | 1.50 s | 200 × | 0.75 | 3.00 s | 0.50 | ≥ 200 × |',
    '| late | 6.00 s | 50 × | 3.00 |  |  | ≥ 200 ×: **missed** |',
    '| a clip | 0.50 s | 60 × |  |  |  |  |',
    '| ffmpeg: loudness | 2.00 s | 150 × | 1.00 |  |  |  |',
    '| | × real time | ms per second of audio |',
    '| decoding | 500 | 2.00 |',
    '| librosa beats alone | 100 | 10.00 |',
  ]);
});
