import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeLingeringRequests, watchUploadRate } from './slow-clients.ts';

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
  const send = (byteCount: number) => {
    socket.bytesRead += byteCount;
    vi.advanceTimersByTime(HALF_A_MINUTE_MS);
  };
  return { request, send, destroy };
}

it('aborts an upload after the first half minute below 16 KB/s, whatever came before', () => {
  const { send, destroy } = upload();
  send(2 * ENOUGH_BYTES);
  send(ENOUGH_BYTES);
  expect(destroy).not.toHaveBeenCalled();
  send(ENOUGH_BYTES - 1);
  expect(destroy).toHaveBeenCalledOnce();
});

it('does not abort an upload that has arrived but is still being read', () => {
  const { request, send, destroy } = upload();
  request.complete = true;
  send(0);
  expect(destroy).not.toHaveBeenCalled();
});

it.each(['end', 'close'])('stops watching at the event %s', (event) => {
  const { request, send, destroy } = upload();
  request.emit(event);
  send(0);
  expect(destroy).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

describe('a request that was answered', () => {
  function answer(request: { headers: Record<string, string>; complete?: boolean; destroyed?: boolean }) {
    let onResponse = (_request: { raw: unknown }) => {};
    const addHook = (_name: string, hook: typeof onResponse) => {
      onResponse = hook;
    };
    closeLingeringRequests({ addHook } as unknown as FastifyInstance);
    const raw = Object.assign(new EventEmitter(), { ...request, resume: vi.fn(), destroy: vi.fn() });
    onResponse({ raw });
    return raw;
  }

  it.each<Record<string, string>>([{ 'content-length': '9' }, { 'transfer-encoding': 'chunked' }])(
    'is cut off two seconds later when its body is still arriving: %o',
    (headers) => {
      const { resume, destroy } = answer({ headers });
      expect(resume).toHaveBeenCalledOnce();
      vi.advanceTimersByTime(1_999);
      expect(destroy).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(destroy).toHaveBeenCalledOnce();
    },
  );

  it.each([
    ['has no body', { headers: {} }],
    ['has an empty body', { headers: { 'content-length': '0' } }],
    ['is complete', { headers: { 'content-length': '9' }, complete: true }],
    ['is closed', { headers: { 'content-length': '9' }, destroyed: true }],
  ])('is left alone when it %s', (_, request) => {
    answer(request);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(['end', 'close'])('is left alone after the event %s', (event) => {
    answer({ headers: { 'content-length': '9' } }).emit(event);
    expect(vi.getTimerCount()).toBe(0);
  });
});
