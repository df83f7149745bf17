import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { STEPS } from './contract-walk-steps.ts';

/**
 * Tests one by one the sentences of the contract, and those of the interface that are not in its table of routes (parts 5 to 9).
 * `WRITE_WALK=1` writes the responses into docs/contract-walk.md; otherwise that page must have the responses of this run.
 */

const PAGE = new URL('../../../../docs/contract-walk.md', import.meta.url);

it('every sentence holds', async () => {
  const lines: string[] = [];
  const faults: string[] = [];
  for (const { says: sentence, tried, call, show, wanted } of STEPS) {
    const answer = await call();
    let shown: unknown = null;
    try {
      shown = show(answer);
    } catch (error) {
      shown = `${(error as Error).message}: ${answer.text.slice(0, 300)}`;
    }
    if (shown !== wanted) faults.push(`${sentence}: ${String(shown)} instead of ${String(wanted)}`);
    lines.push(`| ${sentence} | ${tried} | ${shown === true ? 'refused' : String(shown)} |`);
  }
  expect(faults).toEqual([]);
  const page = `${HEAD}${lines.join('\n')}\n`;
  if (process.env.WRITE_WALK) await writeFile(PAGE, page);
  expect(await readFile(PAGE, 'utf8')).toBe(page);
}, 180_000);

const HEAD = `# The contract, walked

<!-- Written by \`npm run walk\`. -->

What the interface promises apart from its routes, and what the contract decides, each tried over HTTP on a service with a worker. The
routes themselves are in [the interface, walked](interface-walk.md).

| It says | Tried | Came back |
|---|---|---|
`;
