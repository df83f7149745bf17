import { EXPORTS } from '@earshot/exports';
import { expect, it } from 'vitest';

it('names every export in lines that a terminal shows whole', async () => {
  // Loaded here: what the pages are made of has to be there when they are made.
  const { HELP } = await import('./help.ts');
  expect(HELP).toContain(Object.keys(EXPORTS).at(-1));
  const columns = HELP.split('\n').map((line) => line.length);
  // Chosen: half of a screen.
  expect(Math.max(...columns)).toBeLessThanOrEqual(140);
});
