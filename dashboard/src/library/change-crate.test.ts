import { ApiError } from '@earshot/sdk';
import { describe, expect, it } from 'vitest';
import { changeCrate } from './change-crate.ts';

/** The body of the service's refusal (collections.ts in the server). */
const OUTDATED = {
  code: 'precondition_failed',
  detail: 'This collection was changed since you read it. Read it again and repeat your change.',
} as const;

/** A crate as the service stores it, and a page that records its toasts and reloads. */
function openCrate(items: string[], isOffline = () => false) {
  const crate = { items, version: 7 };
  const toasts: { message: string; undo: (() => Promise<void>) | undefined }[] = [];
  let reloadCount = 0;
  const page = {
    save: async (next: string[], version: number) => {
      if (isOffline()) throw new Error('The service does not answer.');
      if (version !== crate.version) throw new ApiError(412, OUTDATED, null);
      crate.items = next;
      crate.version += 1;
      return { version: crate.version };
    },
    showToast: (message: string, undo?: () => Promise<void>) => void toasts.push({ message, undo }),
    reload: () => {
      reloadCount += 1;
    },
  };
  const change = (next: string[], message: string, version = crate.version) =>
    changeCrate({ before: crate.items, version, next, message }, page);
  return { crate, toasts, change, reloadCount: () => reloadCount };
}

describe('changing a crate', () => {
  it('offers to undo the change', async () => {
    const { crate, toasts, change, reloadCount } = openCrate(['a', 'b']);
    expect(await change(['b', 'a'], 'Song moved.')).toBe(true);
    await toasts[0]!.undo!();
    expect(crate.items).toEqual(['a', 'b']);
    expect(toasts.map(({ message }) => message)).toEqual(['Song moved.']);
    expect(reloadCount()).toBe(2);
  });

  it('refuses to undo a change once a later one was made, and says so', async () => {
    const { crate, toasts, change, reloadCount } = openCrate(['a', 'b', 'c']);
    await change(['b', 'a', 'c'], 'Song moved.');
    await change(['b', 'a'], 'Song taken out.');
    await toasts[0]!.undo!();
    expect(crate.items).toEqual(['b', 'a']);
    expect(toasts.at(-1)?.message).toBe('Not undone: the crate was changed meanwhile.');
    expect(reloadCount()).toBe(3);
  });

  it('offers no undo when the service refuses the change', async () => {
    const { crate, toasts, change } = openCrate(['a', 'b']);
    expect(await change(['b', 'a'], 'Song moved.', 6)).toBe(false);
    expect(crate.items).toEqual(['a', 'b']);
    expect(toasts).toEqual([{ message: 'Not changed: the crate was changed meanwhile.', undo: undefined }]);
  });

  it('shows the reason of any other failure, and the crate as the service has it', async () => {
    const { crate, toasts, change, reloadCount } = openCrate(['a', 'b'], () => true);
    expect(await change(['b', 'a'], 'Song moved.')).toBe(false);
    expect(crate.items).toEqual(['a', 'b']);
    expect(toasts).toEqual([{ message: 'The service does not answer.', undo: undefined }]);
    expect(reloadCount()).toBe(1);
  });
});
