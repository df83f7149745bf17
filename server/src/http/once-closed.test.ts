import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, it, vi } from 'vitest';
import { onceClosed } from './once-closed.ts';

it.each([
  ['waits for an open message to close, and runs once', false, 0],
  ['runs at once for a message that has already closed', true, 1],
])('%s', (_, destroyed, callCount) => {
  const message = Object.assign(new EventEmitter(), { destroyed });
  const work = vi.fn();
  onceClosed(message as unknown as IncomingMessage, work);
  expect(work).toHaveBeenCalledTimes(callCount);
  message.emit('close');
  message.emit('close');
  expect(work).toHaveBeenCalledTimes(1);
});
