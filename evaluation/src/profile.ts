/**
 * Processor time of one song by function: the command line under V8's sampling profiler.
 *
 * The profiler samples by the wall clock, which other work on the machine stretches; so a function gets the same share of the process's
 * own processor time as it has of the samples. Kernels appear by name, and functions they call inside their WebAssembly module count
 * as theirs.
 */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listKernelNames } from '@earshot/engine';
import { commandLinePath } from './command-line.ts';
import { runForOwnCpuSeconds } from './cpu-time.ts';

type CpuProfile = {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  samples: number[];
  /** Microseconds since the sample before. */
  timeDeltas: number[];
};

export type ProfiledFunction = { name: string; kind: 'kernel' | 'our code' | 'Node and V8'; share: number };

export type Profile = {
  /** Of the process of the command line, without its decoder. */
  cpuSeconds: number;
  functions: ProfiledFunction[];
};

/** A quarter of V8's default, so that even a minute of audio, a second of work, has thousands of samples. */
const SAMPLE_MICROSECONDS = 250;

export function profileCommandLine(path: string, env: NodeJS.ProcessEnv): Profile {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-profile-'));
  try {
    const profiler = ['--cpu-prof', `--cpu-prof-interval=${SAMPLE_MICROSECONDS}`, `--cpu-prof-dir=${folder}`];
    const cpuSeconds = runForOwnCpuSeconds(
      [...profiler, commandLinePath('.'), 'analyze', '--json', path],
      env,
    );
    const [file] = readdirSync(folder);
    return {
      cpuSeconds,
      functions: sumByFunction(JSON.parse(readFileSync(join(folder, file!), 'utf8')) as CpuProfile),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function sumByFunction({ nodes, samples, timeDeltas }: CpuProfile): ProfiledFunction[] {
  const names = listKernelNames();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])));
  const describe = (id: number): Omit<ProfiledFunction, 'share'> | null => {
    const { functionName, url } = byId.get(id)!.callFrame;
    if (functionName === '(idle)') return null;
    const index = /^wasm-function\[(\d+)\]$/.exec(functionName)?.[1];
    if (index !== undefined) {
      const name = names.get(Number(index));
      const parent = parents.get(id);
      if (name !== undefined) return { name, kind: 'kernel' };
      return parent === undefined ? { name: functionName, kind: 'kernel' } : describe(parent);
    }
    if (/cli\/dist\//.test(url)) return { name: functionName || '(a closure)', kind: 'our code' };
    return { name: functionName || '(a closure of Node)', kind: 'Node and V8' };
  };
  const sums = new Map<string, Omit<ProfiledFunction, 'share'> & { microseconds: number }>();
  let totalMicroseconds = 0;
  samples.forEach((id, index) => {
    const found = describe(id);
    if (found === null) return;
    const microseconds = timeDeltas[index + 1] ?? 0;
    totalMicroseconds += microseconds;
    const key = `${found.kind} ${found.name}`;
    const sum = sums.get(key) ?? { ...found, microseconds: 0 };
    sum.microseconds += microseconds;
    sums.set(key, sum);
  });
  return [...sums.values()]
    .map(({ name, kind, microseconds }) => ({ name, kind, share: microseconds / totalMicroseconds }))
    .toSorted((a, b) => b.share - a.share);
}

export function formatProfile(
  { cpuSeconds, functions }: Profile,
  audioSeconds: number,
  rowsMax: number,
): string {
  const msPerSecond = (share: number): string => ((share * cpuSeconds * 1000) / audioSeconds).toFixed(3);
  const kinds = ['kernel', 'our code', 'Node and V8'] as const;
  const shareOf = (kind: string): number =>
    functions.reduce((sum, { kind: of, share }) => sum + (of === kind ? share : 0), 0);
  return [
    '| function | | share | ms per second of audio |',
    '|---|---|---|---|',
    ...kinds.map(
      (kind) => `| **all of it: ${kind}** | | ${percent(shareOf(kind))} | ${msPerSecond(shareOf(kind))} |`,
    ),
    ...functions
      .slice(0, rowsMax)
      .map(
        ({ name, kind, share }) => `| \`${name}\` | ${kind} | ${percent(share)} | ${msPerSecond(share)} |`,
      ),
  ].join('\n');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
