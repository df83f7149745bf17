import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchUploadRate } from './slow-clients.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const HALF_A_MINUTE_MS = 30_000;
/** 16 KB a second, for half a minute. */
const ENOUGH_BYTES = 491_520;

function upload() {
  const socket = { bytesRead: 1_000_000 };
  const destroy = vi.fn();
  const request = Object.assign(new EventEmitter(), { socket, destroy, complete: false });
  watchUploadRate(request as unknown as IncomingMessage);
  const bring = (byteCount: number) => {
    socket.bytesRead += byteCount;
    vi.advanceTimersByTime(HALF_A_MINUTE_MS);
  };
  return { request, bring, destroy };
}

it('leaves an upload that brings enough, and ends it in the half minute in which it does not', () => {
  const { bring, destroy } = upload();
  bring(2 * ENOUGH_BYTES);
  bring(ENOUGH_BYTES);
  expect(destroy).not.toHaveBeenCalled();
  // What came before does not count.
  bring(ENOUGH_BYTES - 1);
  expect(destroy).toHaveBeenCalledOnce();
});

it('leaves one that has all and is waited for', () => {
  const { request, bring, destroy } = upload();
  request.complete = true;
  bring(0);
  expect(destroy).not.toHaveBeenCalled();
});

it.each(['end', 'close'])('watches no longer than to its %s', (event) => {
  const { request, bring, destroy } = upload();
  request.emit(event);
  bring(0);
  expect(destroy).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});
