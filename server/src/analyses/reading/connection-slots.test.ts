import { expect, it } from 'vitest';
import { createConnectionSlots } from './connection-slots.ts';

it('refuses a workspace more than its share, and leaves the rest to others', () => {
  const slots = createConnectionSlots({ perWorkspaceMax: 2, perProcessMax: 10 });
  slots.reserveForStream('a');
  slots.reserveForPoll('a');
  expect(() => slots.reserveForStream('a')).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  expect(slots.reserveForPoll('a')).toBeNull();
  expect(slots.reserveForPoll('b')).not.toBeNull();
});

it('refuses more than the process may hold, whatever the workspace', () => {
  const slots = createConnectionSlots({ perWorkspaceMax: 2, perProcessMax: 3 });
  for (const workspaceId of ['a', 'a', 'b']) slots.reserveForStream(workspaceId);
  expect(() => slots.reserveForStream('b')).toThrow(expect.objectContaining({ code: 'overloaded' }));
  expect(slots.reserveForPoll('c')).toBeNull();
});

it('releases a slot once, however often its release is called', () => {
  const slots = createConnectionSlots({ perWorkspaceMax: 2, perProcessMax: 2 });
  const release = slots.reserveForStream('a');
  slots.reserveForStream('a');
  release();
  release();
  expect(slots.reserveForPoll('a')).not.toBeNull();
  expect(slots.reserveForPoll('a')).toBeNull();
});
