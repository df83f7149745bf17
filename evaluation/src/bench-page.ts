/** The figures of the bench as tables, and where they go in docs/benchmarks.md. */

import { readFileSync, writeFileSync } from 'node:fs';
import type { Scenario } from './bench-scenarios.ts';

const PAGE = 'docs/benchmarks.md';

type Figures = {
  ways: readonly Scenario[];
  /** Decoding and the engine's stages for the five-minute song, in one process. */
  inner: readonly [name: string, cpuSeconds: number][];
  /** As evaluation/peers.py prints it; null where it was not run. */
  peers: string | null;
  /** Length of the five-minute song. */
  seconds: number;
  rounds: number;
  /** The average number of busy processes in the last minute (loadavg). */
  load: number;
  cores: number;
};

export function formatScenarios({ ways, inner, peers, seconds, rounds, load, cores }: Figures): string {
  const ffmpeg = ways.find(({ name }) => name.startsWith('ffmpeg'));
  const rows = ways.map(({ name, audioSeconds, cpuSeconds, beforeCpuSeconds, goal, met }) => {
    const compared =
      ffmpeg && audioSeconds === ffmpeg.audioSeconds ? (cpuSeconds / ffmpeg.cpuSeconds).toFixed(2) : '';
    const before = beforeCpuSeconds === null ? '' : `${beforeCpuSeconds.toFixed(2)} s`;
    const ratio = beforeCpuSeconds === null ? '' : (cpuSeconds / beforeCpuSeconds).toFixed(2);
    const judged = met === false ? `${goal}: **missed**` : (goal ?? '');
    return `| ${name} | ${cpuSeconds.toFixed(2)} s | ${(audioSeconds / cpuSeconds).toFixed(0)} × | ${compared} | ${before} | ${ratio} | ${judged} |`;
  });
  const parts = inner.map(
    ([name, cpuSeconds]) =>
      `| ${name} | ${(seconds / cpuSeconds).toFixed(0)} | ${((cpuSeconds / seconds) * 1000).toFixed(2)} |`,
  );
  const others = (peers ?? '').split('\n').flatMap((line) => {
    const found = /^(.*?)\s+(\d+) x real time\s+([\d.]+) ms per second/.exec(line);
    return found ? [`| ${found[1]} alone | ${found[2]} | ${found[3]} |`] : [];
  });
  return [
    `Processor time of all processes, user and system, least of ${rounds} rounds in turns; load of the machine when it was over: ${load.toFixed(1)} on ${cores} cores.`,
    '',
    '| | processor | × real time | of ffmpeg | before | of before | goal |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    `The parts for the song of five minutes (${seconds.toFixed(0)} s), in one process${others.length > 0 ? ', and others in the same run' : ''}:`,
    '',
    '| | × real time | ms per second of audio |',
    '|---|---|---|',
    ...parts,
    ...others,
  ].join('\n');
}

/** Replaces what stands between the two marks of that place. */
export function putIntoPage(place: string, text: string): void {
  const before = readFileSync(PAGE, 'utf8');
  const [start, end] = [`<!-- ${place}: begin -->`, `<!-- ${place}: end -->`];
  const pattern = new RegExp(`${start}[\\s\\S]*${end}`);
  if (!pattern.test(before)) throw new Error(`${PAGE} has no place for ${place}`);
  writeFileSync(
    PAGE,
    before.replace(pattern, () => `${start}\n${text}\n${end}`),
  );
}
