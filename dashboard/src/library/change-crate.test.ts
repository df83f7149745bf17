import { describe, expect, it } from 'vitest';
import { changeCrate } from './change-crate.ts';

/** A crate as the service keeps it, and what its page tells and does. */
function openCrate(items: string[]) {
  const crate = { items, version: 7 };
  const told: { words: string; undo: (() => Promise<void>) | undefined }[] = [];
  let reloads = 0;
  const page = {
    save: async (next: string[], version: number) => {
      if (version !== crate.version) throw new Error('This collection was changed since you read it.');
      crate.items = next;
      crate.version += 1;
      return { version: crate.version };
    },
    showToast: (words: string, undo?: () => Promise<void>) => void told.push({ words, undo }),
    reload: () => {
      reloads += 1;
    },
  };
  const change = (next: string[], words: string, version = crate.version) =>
    changeCrate({ before: crate.items, version, next, words }, page);
  return { crate, told, change, reloads: () => reloads };
}

describe('a change of a crate', () => {
  it('is told with its way back', async () => {
    const { crate, told, change, reloads } = openCrate(['a', 'b']);
    expect(await change(['b', 'a'], 'Song moved.')).toBe(true);
    await told[0]!.undo!();
    expect(crate.items).toEqual(['a', 'b']);
    expect(told.map(({ words }) => words)).toEqual(['Song moved.']);
    expect(reloads()).toBe(2);
  });

  it('is not undone over a later one, and the page says so', async () => {
    const { crate, told, change, reloads } = openCrate(['a', 'b', 'c']);
    await change(['b', 'a', 'c'], 'Song moved.');
    await change(['b', 'a'], 'Song taken out.');
    await told[0]!.undo!();
    expect(crate.items).toEqual(['b', 'a']);
    expect(told.at(-1)?.words).toBe('This collection was changed since you read it.');
    expect(reloads()).toBe(3);
  });

  it('that the service refuses has no way back', async () => {
    const { crate, told, change } = openCrate(['a', 'b']);
    expect(await change(['b', 'a'], 'Song moved.', 6)).toBe(false);
    expect(crate.items).toEqual(['a', 'b']);
    expect(told).toEqual([{ words: 'This collection was changed since you read it.', undo: undefined }]);
  });
});
