import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AnalysisOptions, PcmBlock } from '@earshot/engine';
import { beforeEach, expect, it } from 'vitest';
import { SERVER_ROOT } from '../../platform/server-root.ts';
import type { SideProcess } from '../../platform/side-process.ts';
import { until } from '../../test/until.ts';
import { createEnginePool, type EnginePool } from './engine-pool.ts';
import { runEngine } from './engine-runner.ts';

const SAMPLE_RATE_HZ = 22_050;
const BLOCK_SAMPLES = 11_025;

const pool = createEnginePool();
const taken = new Set<SideProcess>();
const engines: EnginePool = {
  ...pool,
  acquire() {
    const engine = pool.acquire();
    taken.add(engine);
    return engine;
  },
};
beforeEach(() => taken.clear());

/** Clicks at an even pace over a hum, so that there is something to find. */
async function* playClicks(tempoBpm: number, seconds: number): AsyncIterable<PcmBlock> {
  const periodSamples = Math.round((60 / tempoBpm) * SAMPLE_RATE_HZ);
  for (let start = 0; start < seconds * SAMPLE_RATE_HZ; start += BLOCK_SAMPLES) {
    const samples = Float32Array.from({ length: BLOCK_SAMPLES }, (_, index) => {
      const sinceClick = (start + index) % periodSamples;
      const hum = 0.05 * Math.sin((2 * Math.PI * 220 * (start + index)) / SAMPLE_RATE_HZ);
      return hum + (sinceClick < 200 ? 0.8 * (1 - sinceClick / 200) * (sinceClick % 2 ? 1 : -1) : 0);
    });
    yield { channels: [samples] };
  }
}

function analyse(
  tempoBpm: number,
  change: { options?: AnalysisOptions; signal?: AbortSignal; taggers?: boolean } = {},
) {
  return runEngine(engines, {
    format: { sampleRateHz: SAMPLE_RATE_HZ, channelCount: 1 },
    blocks: playClicks(tempoBpm, 12),
    options: change.options ?? {},
    taggers: change.taggers ?? true,
    signal: change.signal ?? new AbortController().signal,
    onProgress: () => {},
  });
}

it('says the same of a song in a process that has heard others', async () => {
  const alone = await analyse(100);
  await analyse(150, { options: { features: ['loudness'] } });
  expect(await analyse(100)).toEqual(alone);
  expect(taken.size).toBe(1);
});

it('leaves the taggers out where they are not wanted, and asks them again for the next song', async () => {
  const without = await analyse(100, { taggers: false });
  expect(without.unavailable.tags).toBe('no_model');
  expect(without.models.map(({ name }) => name)).not.toContain('tags-msd');
  const { models, unavailable } = await analyse(100);
  expect(unavailable.tags).not.toBe('no_model');
  expect(models.map(({ name }) => name)).toContain('tags-msd');
});

it('has a process for each song at a time, and keeps them', async () => {
  await Promise.all([analyse(100), analyse(120), analyse(140)]);
  const first = new Set(taken);
  await Promise.all([analyse(90), analyse(110), analyse(130)]);
  expect(taken).toEqual(first);
});

it('ends a process whose song was given up, and one that broke, and goes on with another', async () => {
  const given = new AbortController();
  const reason = new Error('nobody wants it any more');
  const abandoned = analyse(100, { signal: given.signal });
  given.abort(reason);
  await expect(abandoned).rejects.toBe(reason);
  const impossible = { hints: { bpm: -1 } } as unknown as AnalysisOptions;
  await expect(analyse(100, { options: impossible })).rejects.toThrow('a tempo hint must be');
  for (const { exitCode, signalCode } of taken) expect(exitCode ?? signalCode).not.toBeNull();
  expect((await analyse(120)).durationSeconds).toBe(12);
});

it('fails the song alone when its process is killed', async () => {
  const song = analyse(100);
  for (const engine of taken) engine.kill('SIGKILL');
  await expect(song).rejects.toThrow('The engine ended with SIGKILL');
  expect((await analyse(120)).durationSeconds).toBe(12);
});

it('goes with its worker although the exit of Node itself never returns', async () => {
  const source = `
    import { fork } from 'node:child_process';
    const execArgv = ['--require', process.argv[2]];
    const engine = fork(process.argv[1], { serialization: 'advanced', execArgv });
    engine.send({ kind: 'start', format: { sampleRateHz: 44100, channelCount: 1 }, options: {}, taggers: true });
    engine.send({ kind: 'block', channels: [new Float32Array(44100)] });
    engine.on('message', () => process.stdout.write(engine.pid + '\\n'));
  `;
  const stuck = join(await mkdtemp(join(tmpdir(), 'earshot-stuck-')), 'stuck.cjs');
  await writeFile(stuck, 'process.reallyExit = () => { for (;;); };');
  const bundle = join(SERVER_ROOT, 'dist', 'engine-process.js');
  const worker = spawn(process.execPath, ['--input-type=module', '-e', source, bundle, stuck]);
  const [chunk] = await once(worker.stdout, 'data');
  worker.kill('SIGKILL');
  await until(() => !isAlive(Number(String(chunk))), 'the engine is gone');
  await rm(dirname(stuck), { recursive: true });
});

it('computes on through the signals of a terminal, and no longer than its worker lives', async () => {
  const source = `
    import { fork } from 'node:child_process';
    const engine = fork(process.argv[1], { serialization: 'advanced', execArgv: [] });
    engine.send({ kind: 'start', format: { sampleRateHz: 44100, channelCount: 1 }, options: {}, taggers: true });
    const channels = [Float32Array.from({ length: 44100 * 60 }, (_, index) => Math.sin(index * index))];
    engine.on('message', ({ kind }) => {
      if (kind === 'progress') process.stdout.write(engine.pid + '\\n');
    });
    for (let minute = 0; minute < 3; minute += 1) engine.send({ kind: 'block', channels });
    engine.send({ kind: 'finish' });
  `;
  const bundle = join(SERVER_ROOT, 'dist', 'engine-process.js');
  const worker = spawn(process.execPath, ['--input-type=module', '-e', source, bundle]);
  const [chunk] = await once(worker.stdout, 'data');
  const pid = Number(String(chunk).split('\n')[0]);
  process.kill(pid, 'SIGINT');
  process.kill(pid, 'SIGTERM');
  await once(worker.stdout, 'data');
  worker.kill('SIGKILL');
  await until(() => !isAlive(pid), 'the engine is gone');
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
