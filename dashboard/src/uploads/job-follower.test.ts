import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { JobFailed, JobFollower, RECONNECT_DELAY_MS } from './job-follower.ts';

/** Streams which the test ends one by one. */
function openStreams() {
  const open = new Map<string, { end: () => void; fail: (error: Error) => void }>();
  const follow = (jobId: string) =>
    new Promise<void>((resolve, reject) => {
      const close = (settle: () => void) => {
        open.delete(jobId);
        settle();
      };
      open.set(jobId, { end: () => close(resolve), fail: (error) => close(() => reject(error)) });
    });
  return { open, follow, names: () => [...open.keys()] };
}

async function start(jobIds: string[]) {
  const streams = openStreams();
  const follower = new JobFollower(streams.follow);
  const ended: string[] = [];
  for (const jobId of jobIds) {
    follower
      .follow(jobId, () => {})
      .then(
        () => ended.push(`${jobId} done`),
        (error: Error) => ended.push(`${jobId} ${error.message}`),
      );
  }
  await vi.advanceTimersByTimeAsync(0);
  return { ...streams, ended };
}

describe('many jobs', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are followed two at a time, in order', async () => {
    const { open, names, ended } = await start(['a', 'b', 'c', 'd']);
    expect(names()).toEqual(['a', 'b']);
    open.get('b')!.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(names()).toEqual(['a', 'c']);
    open.get('a')!.end();
    open.get('c')!.end();
    await vi.advanceTimersByTimeAsync(0);
    open.get('d')!.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(ended).toEqual(['b done', 'a done', 'c done', 'd done']);
  });

  it('are followed again after their stream was refused, and give their place to others meanwhile', async () => {
    const { open, names, ended } = await start(['a', 'b', 'c']);
    open.get('a')!.fail(new Error('Too many streams.'));
    await vi.advanceTimersByTimeAsync(0);
    expect(names()).toEqual(['b', 'c']);
    open.get('b')!.end();
    await vi.advanceTimersByTimeAsync(RECONNECT_DELAY_MS - 1);
    expect(names()).toEqual(['c']);
    await vi.advanceTimersByTimeAsync(1);
    expect(names()).toEqual(['c', 'a']);
    expect(ended).toEqual(['b done']);
  });

  it('are not followed again once they failed', async () => {
    const { open, names, ended } = await start(['a', 'b', 'c']);
    open.get('a')!.fail(new JobFailed('This file holds no audio.'));
    await vi.advanceTimersByTimeAsync(RECONNECT_DELAY_MS);
    expect(ended).toEqual(['a This file holds no audio.']);
    expect(names()).toEqual(['b', 'c']);
  });
});
