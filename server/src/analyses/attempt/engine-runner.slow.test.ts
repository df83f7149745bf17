import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DecodeError } from '@earshot/decode';
import type { AnalysisOptions } from '@earshot/engine';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { wavBytes } from '../../../../scripts/wav-bytes.mjs';
import { SERVER_ROOT } from '../../platform/server-root.ts';
import { endSideProcess, type SideProcess } from '../../platform/side-process.ts';
import { isRunning } from '../../test/is-running.ts';
import { until } from '../../test/until.ts';
import { createEnginePool, type EnginePool } from './engine-pool.ts';
import { runEngine } from './engine-runner.ts';

const SAMPLE_RATE_HZ = 22_050;
/** Enough for a tempo, and analysed in a second or two. */
const SONG_SECONDS = 12;
/** Takes so long to decode that something can happen meanwhile. */
const LONG_SONG_SECONDS = 600;
const HUM_HZ = 220;
const CLICK_SAMPLES = 200;
const ENGINE = join(SERVER_ROOT, 'dist', 'engine-process.js');

const folder = await mkdtemp(join(tmpdir(), 'earshot-engine-'));
afterAll(() => rm(folder, { recursive: true }));

const pool = createEnginePool();
const acquired = new Set<SideProcess>();
const engines: EnginePool = {
  ...pool,
  acquire() {
    const engine = pool.acquire();
    acquired.add(engine);
    return engine;
  },
};
beforeEach(() => acquired.clear());

/** Regular clicks over a hum: something to analyse. */
async function writeClicks(tempoBpm: number, seconds = SONG_SECONDS): Promise<string> {
  const periodSamples = Math.round((60 / tempoBpm) * SAMPLE_RATE_HZ);
  const samples = Float32Array.from({ length: seconds * SAMPLE_RATE_HZ }, (_, index) => {
    const hum = 0.05 * Math.sin((2 * Math.PI * HUM_HZ * index) / SAMPLE_RATE_HZ);
    const clickSamples = index % periodSamples;
    const decay = Math.max(0, 1 - clickSamples / CLICK_SAMPLES);
    return hum + 0.8 * decay * (clickSamples % 2 ? 1 : -1);
  });
  const path = join(folder, `${tempoBpm}-${seconds}.wav`);
  await writeFile(path, wavBytes(samples, { sampleRateHz: SAMPLE_RATE_HZ }));
  return path;
}

type Overrides = { options?: AnalysisOptions; signal?: AbortSignal; taggers?: boolean };

async function analyse(tempoBpm: number, overrides: Overrides = {}) {
  return (await analyseFile(await writeClicks(tempoBpm), overrides)).result;
}

const analyseFile = (path: string, overrides: Overrides = {}) =>
  runEngine(engines, requestOf(path, overrides));

function requestOf(path: string, overrides: Overrides = {}) {
  return {
    path,
    limits: {},
    options: overrides.options ?? {},
    taggers: overrides.taggers ?? true,
    signal: overrides.signal ?? new AbortController().signal,
    onProgress: () => {},
  };
}

it('gives the same result in a process that has analysed other songs', async () => {
  const alone = await analyse(100);
  await analyse(150, { options: { features: ['loudness'] } });
  expect(await analyse(100)).toEqual(alone);
  expect(acquired.size).toBe(1);
});

it('omits the taggers on request, and uses them again for the next song', async () => {
  const without = await analyse(100, { taggers: false });
  expect(without.unavailable.tags).toBe('no_model');
  expect(without.models.map(({ name }) => name)).not.toContain('tags-msd');
  const { models, unavailable } = await analyse(100);
  expect(unavailable.tags).not.toBe('no_model');
  expect(models.map(({ name }) => name)).toContain('tags-msd');
});

it('uses one process per concurrent song, and reuses them', async () => {
  await Promise.all([analyse(100), analyse(120), analyse(140)]);
  const first = new Set(acquired);
  expect(first.size).toBe(3);
  await Promise.all([analyse(90), analyse(110), analyse(130)]);
  expect(acquired).toEqual(first);
});

it('ends a process whose song was aborted or failed, and continues with another', async () => {
  const cancellation = new AbortController();
  const reason = new Error('the analysis was canceled');
  const abandoned = analyseFile(await writeClicks(100), { signal: cancellation.signal });
  cancellation.abort(reason);
  await expect(abandoned).rejects.toBe(reason);
  const impossible = { hints: { bpm: -1 } } as unknown as AnalysisOptions;
  await expect(analyse(100, { options: impossible })).rejects.toThrow('a tempo hint must be');
  expect([...acquired].map(({ signalCode }) => signalCode)).toEqual(['SIGKILL', 'SIGKILL']);
  expect((await analyse(120)).durationSeconds).toBe(SONG_SECONDS);
});

it('fails only the song whose process is killed', async () => {
  const song = analyseFile(await writeClicks(100));
  for (const engine of acquired) engine.kill('SIGKILL');
  await expect(song).rejects.toThrow('The engine ended with SIGKILL');
  expect((await analyse(120)).durationSeconds).toBe(SONG_SECONDS);
});

it('reports the decoder error of a file, and reuses the process', async () => {
  const cut = join(folder, 'cut.wav');
  await writeFile(cut, 'RIFF');
  const failure = await analyseFile(cut).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DecodeError);
  expect(failure).toMatchObject({ code: 'unsupported_format', message: expect.stringContaining('audio') });
  await analyse(120);
  expect(acquired.size).toBe(1);
});

it('ends a process whose decoder died during a song', async () => {
  const path = await writeClicks(100, LONG_SONG_SECONDS);
  const onProgress = () => {
    const [engine] = acquired;
    const decoders = readFileSync(`/proc/${engine?.pid}/task/${engine?.pid}/children`, 'latin1');
    for (const pid of decoders.split(' ').filter(Boolean)) process.kill(Number(pid), 'SIGKILL');
  };
  const song = runEngine(engines, { ...requestOf(path), onProgress });
  await expect(song).rejects.toMatchObject({ name: 'DecodeError', code: 'decoder_failed' });
  expect([...acquired].map(({ signalCode }) => signalCode)).toEqual(['SIGKILL']);
});

it('ends a process that cannot start a decoder, which would draw every song away from those that can', async () => {
  const brokenSpawn = join(folder, 'brokenSpawn.cjs');
  await writeFile(
    brokenSpawn,
    `const processes = require('node:child_process');
    const { spawn } = processes;
    processes.spawn = (_, args, options) => spawn('/nowhere', args, options);
    require('node:module').syncBuiltinESMExports();`,
  );
  const engine = fork(ENGINE, { serialization: 'advanced', execArgv: [`--require=${brokenSpawn}`] });
  const song = runEngine(
    createEnginePool(() => engine),
    requestOf(await writeClicks(100)),
  );
  await expect(song).rejects.toMatchObject({ name: 'DecodeError', code: 'decoder_failed' });
  expect(engine.signalCode).toBe('SIGKILL');
});

it.each([
  ['7, so that requests on the same machine come first', '', 7],
  ['that of its worker where that is higher', `require('node:os').setPriority(15);`, 15],
])('has the niceness %s', async (_, beforeStart, niceness) => {
  const preload = join(folder, 'preload.cjs');
  await writeFile(preload, beforeStart);
  const engine = fork(ENGINE, { serialization: 'advanced', execArgv: [`--require=${preload}`] });
  const song = requestOf(await writeClicks(100), { options: { features: ['loudness'] } });
  await runEngine(
    createEnginePool(() => engine),
    song,
  );
  // The tests may run at a niceness of their own.
  expect(getPriority(engine.pid)).toBe(Math.max(niceness, getPriority()));
  await endSideProcess(engine);
});

it('ends a process that has analysed a long recording', async () => {
  const path = join(folder, 'long.wav');
  const sampleRateHz = 8_000;
  // One second more than twenty minutes, the length from which a recording is long.
  await writeFile(path, wavBytes(new Int16Array(1_201 * sampleRateHz), { sampleRateHz }));
  await analyseFile(path, { options: { features: ['loudness'] } });
  expect([...acquired].map(({ signalCode }) => signalCode)).toEqual(['SIGKILL']);
});

/** A process that requests a file's analysis as a worker does, and prints the engine's process id at every report of `stage`. */
function startWorker(path: string, stage: string, execArgv: string[] = []) {
  const source = `
    import { fork } from 'node:child_process';
    const [path, stage, ...execArgv] = process.argv.slice(1);
    const engine = fork(${JSON.stringify(ENGINE)}, { serialization: 'advanced', execArgv });
    engine.on('message', (message) => {
      if (message.stage === stage) process.stdout.write(engine.pid + '\\n');
    });
    engine.send({ path, limits: {}, options: {}, taggers: true });
  `;
  return spawn(process.execPath, ['--input-type=module', '-e', source, path, stage, ...execArgv]);
}

it('ends with its worker even if the exit of Node never returns', async () => {
  const stuck = join(folder, 'stuck.cjs');
  await writeFile(stuck, 'process.reallyExit = () => { for (;;); };');
  const worker = startWorker(await writeClicks(100, LONG_SONG_SECONDS), 'decoding', [`--require=${stuck}`]);
  const [chunk] = await once(worker.stdout, 'data');
  const pid = Number.parseInt(String(chunk), 10);
  expect(isRunning(pid)).toBe(true);
  worker.kill('SIGKILL');
  await until(() => !isRunning(pid), 'the engine has ended');
});

it('ignores the signals of a terminal, and ends with its worker', async () => {
  // Three minutes are decoded soon, and analysed long enough for a signal to arrive meanwhile.
  const worker = startWorker(await writeClicks(100, 180), 'analysing');
  const [chunk] = await once(worker.stdout, 'data');
  const pid = Number.parseInt(String(chunk), 10);
  process.kill(pid, 'SIGINT');
  process.kill(pid, 'SIGTERM');
  await once(worker.stdout, 'data');
  expect(isRunning(pid)).toBe(true);
  worker.kill('SIGKILL');
  await until(() => !isRunning(pid), 'the engine has ended');
});
