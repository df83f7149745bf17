/** Formats the figures of the bench as tables for docs/benchmarks.md. */

import type { Scenario } from './bench-scenarios.ts';

export const BENCHMARKS_PAGE = 'docs/benchmarks.md';

/** Processor time of decoding, or of a stage of the engine. */
export type StageTime = [stage: string, cpuSeconds: number];

type Figures = {
  scenarios: readonly Scenario[];
  /** Decoding and the engine's stages for the five-minute song, called from one process. */
  stages: readonly StageTime[];
  /** As evaluation/peers.py prints it; null where it was not run. */
  peers: string | null;
  /** Length of the five-minute song. */
  songSeconds: number;
  roundCount: number;
  /** Mean number of busy processes over the last minute (loadavg). */
  loadAverage: number;
  coreCount: number;
};

export function formatScenarios(figures: Figures): string {
  const { scenarios, stages, peers, songSeconds, roundCount, loadAverage, coreCount } = figures;
  const ffmpeg = scenarios.find(({ name }) => name.startsWith('ffmpeg'));
  const rows = scenarios.map(({ name, audioSeconds, cpuSeconds, beforeCpuSeconds, goal, met }) => {
    const compared =
      ffmpeg && audioSeconds === ffmpeg.audioSeconds ? (cpuSeconds / ffmpeg.cpuSeconds).toFixed(2) : '';
    const before = beforeCpuSeconds === null ? '' : `${beforeCpuSeconds.toFixed(2)} s`;
    const ratio = beforeCpuSeconds === null ? '' : (cpuSeconds / beforeCpuSeconds).toFixed(2);
    const judged = met === false ? `${goal}: **missed**` : (goal ?? '');
    return `| ${name} | ${cpuSeconds.toFixed(2)} s | ${(audioSeconds / cpuSeconds).toFixed(0)} × | ${compared} | ${before} | ${ratio} | ${judged} |`;
  });
  const parts = stages.map(
    ([name, cpuSeconds]) =>
      `| ${name} | ${(songSeconds / cpuSeconds).toFixed(0)} | ${((cpuSeconds / songSeconds) * 1000).toFixed(2)} |`,
  );
  const others = (peers ?? '').split('\n').flatMap((line) => {
    const found = /^(.*?)\s+(\d+) x real time\s+([\d.]+) ms per second/.exec(line);
    return found ? [`| ${found[1]} alone | ${found[2]} | ${found[3]} |`] : [];
  });
  return [
    `Processor time of all processes, user and system, least of ${roundCount} rounds in turns; load average of the machine at the end: ${loadAverage.toFixed(1)} on ${coreCount} cores.`,
    '',
    '| | processor | × real time | of ffmpeg | before | of before | goal |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    `The stages for the song of five minutes (${songSeconds.toFixed(0)} s), in one process${others.length > 0 ? ', and others in the same run' : ''}:`,
    '',
    '| | × real time | ms per second of audio |',
    '|---|---|---|',
    ...parts,
    ...others,
  ].join('\n');
}
