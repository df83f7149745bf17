import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DecodeError } from '@earshot/decode';
import type { AnalysisOptions } from '@earshot/engine';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { wavBytes } from '../../../../scripts/wav-bytes.mjs';
import { SERVER_ROOT } from '../../platform/server-root.ts';
import type { SideProcess } from '../../platform/side-process.ts';
import { isRunning } from '../../test/is-running.ts';
import { until } from '../../test/until.ts';
import { createEnginePool, type EnginePool } from './engine-pool.ts';
import { runEngine } from './engine-runner.ts';

const SAMPLE_RATE_HZ = 22_050;
const ENGINE = join(SERVER_ROOT, 'dist', 'engine-process.js');

const folder = await mkdtemp(join(tmpdir(), 'earshot-engine-'));
afterAll(() => rm(folder, { recursive: true }));

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
async function writeClicks(tempoBpm: number, seconds = 12): Promise<string> {
  const periodSamples = Math.round((60 / tempoBpm) * SAMPLE_RATE_HZ);
  const samples = Float32Array.from({ length: seconds * SAMPLE_RATE_HZ }, (_, index) => {
    const sinceClick = index % periodSamples;
    const hum = 0.05 * Math.sin((2 * Math.PI * 220 * index) / SAMPLE_RATE_HZ);
    return hum + (sinceClick < 200 ? 0.8 * (1 - sinceClick / 200) * (sinceClick % 2 ? 1 : -1) : 0);
  });
  const path = join(folder, `${tempoBpm}-${seconds}.wav`);
  await writeFile(path, wavBytes(samples, { sampleRateHz: SAMPLE_RATE_HZ }));
  return path;
}

type Change = { options?: AnalysisOptions; signal?: AbortSignal; taggers?: boolean };

async function analyse(tempoBpm: number, change: Change = {}) {
  return (await analyseFile(await writeClicks(tempoBpm), change)).result;
}

const analyseFile = (path: string, change: Change = {}) => runEngine(engines, orderOf(path, change));

function orderOf(path: string, change: Change = {}) {
  return {
    path,
    limits: {},
    options: change.options ?? {},
    taggers: change.taggers ?? true,
    signal: change.signal ?? new AbortController().signal,
    onProgress: () => {},
  };
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
  const abandoned = analyseFile(await writeClicks(100), { signal: given.signal });
  given.abort(reason);
  await expect(abandoned).rejects.toBe(reason);
  const impossible = { hints: { bpm: -1 } } as unknown as AnalysisOptions;
  await expect(analyse(100, { options: impossible })).rejects.toThrow('a tempo hint must be');
  for (const { exitCode, signalCode } of taken) expect(exitCode ?? signalCode).not.toBeNull();
  expect((await analyse(120)).durationSeconds).toBe(12);
});

it('fails the song alone when its process is killed', async () => {
  const song = analyseFile(await writeClicks(100));
  for (const engine of taken) engine.kill('SIGKILL');
  await expect(song).rejects.toThrow('The engine ended with SIGKILL');
  expect((await analyse(120)).durationSeconds).toBe(12);
});

it('says what is wrong with a file as the decoder does, and takes the next one', async () => {
  const cut = join(folder, 'cut.wav');
  await writeFile(cut, 'RIFF');
  const failure = await analyseFile(cut).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DecodeError);
  expect(failure).toMatchObject({ code: 'unsupported_format', message: expect.stringContaining('audio') });
  await analyse(120);
  expect(taken.size).toBe(1);
});

it('ends a process whose song broke off half-way, with what it had heard of it', async () => {
  const path = await writeClicks(100, 600);
  const onProgress = () => {
    const [engine] = taken;
    const decoders = readFileSync(`/proc/${engine?.pid}/task/${engine?.pid}/children`, 'latin1');
    for (const pid of decoders.split(' ').filter(Boolean)) process.kill(Number(pid), 'SIGKILL');
  };
  const song = runEngine(engines, { ...orderOf(path), onProgress });
  await expect(song).rejects.toMatchObject({ name: 'DecodeError', code: 'decoder_failed' });
  expect([...taken].map(({ signalCode }) => signalCode)).toEqual(['SIGKILL']);
});

it('ends a process that cannot start its decoder: it would take every song from those that can', async () => {
  const helpless = join(folder, 'helpless.cjs');
  await writeFile(
    helpless,
    `const processes = require('node:child_process');
    const { spawn } = processes;
    processes.spawn = (_, args, options) => spawn('/nowhere', args, options);
    require('node:module').syncBuiltinESMExports();`,
  );
  const engine = fork(ENGINE, { serialization: 'advanced', execArgv: [`--require=${helpless}`] });
  const song = runEngine(
    createEnginePool(() => engine),
    orderOf(await writeClicks(100)),
  );
  await expect(song).rejects.toMatchObject({ name: 'DecodeError', code: 'decoder_failed' });
  expect(engine.signalCode).toBe('SIGKILL');
});

it('ends a process that has heard a long recording', async () => {
  const path = join(folder, 'long.wav');
  await writeFile(path, wavBytes(new Int16Array(1_201 * 8_000), { sampleRateHz: 8_000 }));
  await analyseFile(path, { options: { features: ['loudness'] } });
  expect([...taken].map(({ signalCode }) => signalCode)).toEqual(['SIGKILL']);
});

/** A process that orders a file as a worker does, and says the engine's id whenever it tells of that stage. */
function startWorker(path: string, stage: string, execArgv: string[] = []) {
  const source = `
    import { fork } from 'node:child_process';
    const [path, stage, ...execArgv] = process.argv.slice(1);
    const engine = fork(${JSON.stringify(ENGINE)}, { serialization: 'advanced', execArgv });
    engine.on('message', (told) => {
      if (told.stage === stage) process.stdout.write(engine.pid + '\\n');
    });
    engine.send({ path, limits: {}, options: {}, taggers: true });
  `;
  return spawn(process.execPath, ['--input-type=module', '-e', source, path, stage, ...execArgv]);
}

it('goes with its worker although the exit of Node itself never returns', async () => {
  const stuck = join(folder, 'stuck.cjs');
  await writeFile(stuck, 'process.reallyExit = () => { for (;;); };');
  const worker = startWorker(await writeClicks(100, 600), 'decoding', [`--require=${stuck}`]);
  const [chunk] = await once(worker.stdout, 'data');
  worker.kill('SIGKILL');
  await until(() => !isRunning(Number.parseInt(String(chunk), 10)), 'the engine is gone');
});

it('computes on through the signals of a terminal, and no longer than its worker lives', async () => {
  const worker = startWorker(await writeClicks(100, 180), 'analysing');
  const [chunk] = await once(worker.stdout, 'data');
  const pid = Number.parseInt(String(chunk), 10);
  process.kill(pid, 'SIGINT');
  process.kill(pid, 'SIGTERM');
  await once(worker.stdout, 'data');
  worker.kill('SIGKILL');
  await until(() => !isRunning(pid), 'the engine is gone');
});
