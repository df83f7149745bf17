import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import type { Watch } from '@earshot/mcp';
import { afterAll, describe, expect, it } from 'vitest';
import type { Analyser, Song } from '../analyze/song.ts';
import { createLocalBackend } from './local-backend.ts';

const server = createServer((_request, response) => response.end('RIFF')).listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => server.close().closeAllConnections());

const songOf = (path: string): Song => ({
  path,
  result: { bpm: 120 } as unknown as Song['result'],
  writeExport: async (format) => `${format} of ${basename(path)}`,
  writeReport: async () => '',
});
const watch = (options: Partial<Watch> = {}): Watch => ({
  waitMs: 10_000,
  onProgress: () => undefined,
  signal: new AbortController().signal,
  ...options,
});

/** An analyser whose oldest analysis ends when `end` is called; `started` records all. */
function createSlowAnalyser() {
  const ends: ((song: Song | Error) => void)[] = [];
  const started: { path: string; onProgress: (fraction: number) => void; signal?: AbortSignal }[] = [];
  const analyse: Analyser = (path, onProgress, signal) => {
    started.push({ path, onProgress, signal });
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      ends.push((ended) => (ended instanceof Error ? reject(ended) : resolve(ended)));
    });
  };
  return { analyse, started, end: (ended: Song | Error) => ends.shift()!(ended) };
}

describe('local analyses', () => {
  it('are listed newest first, the newest hundred of them', async () => {
    const backend = createLocalBackend(async (path) => songOf(path));
    const ids: string[] = [];
    for (let nth = 0; nth <= 100; nth++)
      ids.push((await backend.analyseFile!(`/songs/${nth}.mp3`, watch())).id);
    const listed = await backend.list(1000);
    expect(listed.map(({ id }) => id)).toEqual(ids.slice(1).reverse());
    expect(listed[0]).toEqual({
      id: ids[100],
      status: 'completed',
      name: '100.mp3',
      progress: 1,
      error: null,
    });
    expect((await backend.list(2)).map(({ name }) => name)).toEqual(['100.mp3', '99.mp3']);
    await expect(backend.get(ids[0]!, watch())).rejects.toThrow(/newest 100/);
    expect(await backend.get(ids[1]!, watch())).toMatchObject({ name: '1.mp3', result: { bpm: 120 } });
    expect(Buffer.from(await backend.writeExport(ids[1]!, 'csv')).toString()).toBe('csv of 1.mp3');
  });

  it('download a song from a URL, and delete it afterwards', async () => {
    const analysed: string[] = [];
    const backend = createLocalBackend(async (path) => {
      expect(existsSync(path)).toBe(true);
      analysed.push(path);
      return songOf(path);
    });
    const outcome = await backend.analyseUrl!(`${origin}/a/song.mp3?token=1`, watch());
    expect(outcome).toMatchObject({ status: 'completed', name: 'song.mp3' });
    expect(analysed.map((path) => existsSync(path))).toEqual([false]);
  });
});

describe('an analysis that takes longer than its caller waits', () => {
  it('continues, and can be fetched when it is done', async () => {
    const { analyse, started, end } = createSlowAnalyser();
    const backend = createLocalBackend(analyse);
    const fractions: number[] = [];
    const watching = watch({ waitMs: 1, onProgress: (fraction) => fractions.push(fraction) });
    const { id, ...begun } = await backend.analyseFile!('/songs/long.mp3', watching);
    expect(begun).toEqual({ status: 'processing', name: 'long.mp3', progress: 0, result: null, error: null });
    started[0]!.onProgress(0.5);
    expect(fractions).toEqual([]);
    expect(await backend.get(id, watch({ waitMs: 0 }))).toMatchObject({
      status: 'processing',
      progress: 0.5,
    });
    expect(await backend.list(1)).toMatchObject([{ id, status: 'processing', progress: 0.5 }]);
    await expect(backend.writeExport(id, 'csv')).rejects.toThrow(`${id} is processing`);

    const finding = backend.get(id, watch({ onProgress: (fraction) => fractions.push(fraction) }));
    started[0]!.onProgress(0.75);
    end(songOf('/songs/long.mp3'));
    expect(await finding).toMatchObject({ status: 'completed', progress: 1, result: { bpm: 120 } });
    expect(fractions).toEqual([0.75]);
  });

  it('reports a later failure with its reason', async () => {
    const { analyse, end } = createSlowAnalyser();
    const backend = createLocalBackend(analyse);
    const { id } = await backend.analyseFile!('/songs/letter.mp3', watch({ waitMs: 1 }));
    end(new Error('This is not audio.'));
    const failed = { status: 'failed', result: null, error: 'This is not audio.' };
    expect(await backend.get(id, watch())).toMatchObject(failed);
    await expect(backend.writeExport(id, 'csv')).rejects.toThrow(`${id} is failed`);
  });

  it('keeps its download until it is done', async () => {
    const { analyse, started, end } = createSlowAnalyser();
    const backend = createLocalBackend(analyse);
    const { id } = await backend.analyseUrl!(`${origin}/song.mp3`, watch({ waitMs: 0 }));
    await expect.poll(() => started.length).toBe(1);
    expect(existsSync(started[0]!.path)).toBe(true);
    end(songOf(started[0]!.path));
    expect(await backend.get(id, watch())).toMatchObject({ status: 'completed', name: 'song.mp3' });
    expect(existsSync(started[0]!.path)).toBe(false);
  });
});

it('an analysis that fails while its caller waits throws the reason, and is not kept', async () => {
  const backend = createLocalBackend(async () => {
    throw new Error('There is no file.');
  });
  await expect(backend.analyseFile!('/songs/none.mp3', watch())).rejects.toThrow('There is no file.');
  expect(await backend.list(10)).toEqual([]);
});

it('canceling the call that started an analysis stops it; canceling `get` does not', async () => {
  const { analyse, started, end } = createSlowAnalyser();
  const backend = createLocalBackend(analyse);
  const stop = new AbortController();
  const analysing = backend.analyseFile!('/songs/a.mp3', watch({ signal: stop.signal }));
  stop.abort(new Error('enough'));
  await expect(analysing).rejects.toThrow('enough');
  expect(started[0]!.signal?.aborted).toBe(true);
  expect(await backend.list(10)).toEqual([]);

  const { id } = await backend.analyseFile!('/songs/b.mp3', watch({ waitMs: 0 }));
  const leave = new AbortController();
  const finding = backend.get(id, watch({ signal: leave.signal }));
  leave.abort(new Error('later'));
  await expect(finding).rejects.toThrow('later');
  end(songOf('/songs/a.mp3'));
  end(songOf('/songs/b.mp3'));
  expect(await backend.get(id, watch())).toMatchObject({ status: 'completed', name: 'b.mp3' });
});
