import { EXPORTS } from '@earshot/exports';
import { expect, it } from 'vitest';

it('lists every export, in lines of at most 140 columns', async () => {
  // Imported here, so that an error while the pages are built fails this test and not the file.
  const { HELP } = await import('./help.ts');
  for (const name of Object.keys(EXPORTS)) expect(HELP).toMatch(new RegExp(`[ ,]${name}(,|\\n|$)`, 'm'));
  const columns = HELP.split('\n').map((line) => line.length);
  // Half the width of a full HD screen in a common font.
  expect(Math.max(...columns)).toBeLessThanOrEqual(140);
});

it.each(['sing', 'toString'])('shows the whole help for "%s", which is no command', async (word) => {
  const { HELP, helpOf } = await import('./help.ts');
  expect(helpOf(word)).toBe(HELP);
});
