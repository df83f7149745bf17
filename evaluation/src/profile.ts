/**
 * Where the processor time of one song goes, function by function: the command line under V8's sampling profiler.
 *
 * Samples are taken by the clock, so a machine with other work stretches them all alike; each function's share of them is given the same
 * share of the processor time of the process. Kernels have their names, and what they call inside the module counts as theirs.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listKernelNames } from '@earshot/engine';
import { childCpuSeconds } from './cpu-time.ts';

type CpuProfile = {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
};

export type ProfiledFunction = { name: string; kind: 'kernel' | 'our code' | 'Node and V8'; share: number };

export type Profile = {
  /** Of the command line with its decoder. */
  cpuSeconds: number;
  functions: ProfiledFunction[];
};

const SAMPLE_MICROSECONDS = 250;

export function profileCommandLine(path: string, env: NodeJS.ProcessEnv): Profile {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-profile-'));
  try {
    const before = childCpuSeconds();
    const { status } = spawnSync(
      process.execPath,
      [
        '--cpu-prof',
        `--cpu-prof-interval=${SAMPLE_MICROSECONDS}`,
        `--cpu-prof-dir=${folder}`,
        'cli/dist/earshot.cjs',
        'analyze',
        '--json',
        path,
      ],
      { env, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    if (status !== 0) throw new Error(`The command line ended with ${status}`);
    const cpuSeconds = childCpuSeconds() - before;
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
  const sums = new Map<string, ProfiledFunction>();
  let total = 0;
  samples.forEach((id, index) => {
    const found = describe(id);
    if (found === null) return;
    const delta = timeDeltas[index + 1] ?? 0;
    total += delta;
    const key = `${found.kind} ${found.name}`;
    const sum = sums.get(key) ?? { ...found, share: 0 };
    sum.share += delta;
    sums.set(key, sum);
  });
  return [...sums.values()]
    .map((sum) => ({ ...sum, share: sum.share / total }))
    .toSorted((a, b) => b.share - a.share);
}

export function formatProfile(
  { cpuSeconds, functions }: Profile,
  audioSeconds: number,
  rows: number,
): string {
  const perSecond = (share: number): string => ((share * cpuSeconds * 1000) / audioSeconds).toFixed(3);
  const kinds = ['kernel', 'our code', 'Node and V8'] as const;
  const shareOf = (kind: string): number =>
    functions.reduce((sum, { kind: of, share }) => sum + (of === kind ? share : 0), 0);
  return [
    '| function | | share | ms per second of audio |',
    '|---|---|---|---|',
    ...kinds.map(
      (kind) => `| **all of it: ${kind}** | | ${percent(shareOf(kind))} | ${perSecond(shareOf(kind))} |`,
    ),
    ...functions
      .slice(0, rows)
      .map(({ name, kind, share }) => `| \`${name}\` | ${kind} | ${percent(share)} | ${perSecond(share)} |`),
  ].join('\n');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
