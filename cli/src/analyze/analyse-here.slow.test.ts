import { fileURLToPath } from 'node:url';
import { loadModels } from '@earshot/engine/models';
import { expect, it } from 'vitest';
import { createLocalAnalyser } from './analyse-here.ts';

const song = fileURLToPath(new URL('../../../examples/sample-song/two-doors-down.mp3', import.meta.url));
const analyse = createLocalAnalyser({}, loadModels());

it('stops when its signal aborts, with the reason', async () => {
  const stopping = new AbortController();
  const reason = new Error('no longer wanted');
  await expect(analyse(song, () => stopping.abort(reason), stopping.signal)).rejects.toBe(reason);
});

it('reports a progress that grows from nearly 0 to nearly 1', async () => {
  const fractions: number[] = [];
  await analyse(song, (fraction) => fractions.push(fraction));
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  // The first and last reports come within a tenth of the ends: blocks are short, and so is the engine's last stage.
  expect(fractions[0]).toBeLessThan(0.1);
  expect(fractions.at(-1)).toBeGreaterThan(0.9);
  expect(fractions.at(-1)).toBeLessThanOrEqual(1);
});
