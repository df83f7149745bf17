import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { STEPS } from './contract-walk-steps.ts';

/**
 * Tests the sentences of the interface beside its table of routes (parts 5 to 9) and those of the contract, one by one. `WRITE_WALK=1`
 * writes what came back into docs/contract-walk.md; otherwise the page must equal what comes back now.
 */

const PAGE = new URL('../../../../docs/contract-walk.md', import.meta.url);

it('every sentence holds', async () => {
  const lines: string[] = [];
  const faults: string[] = [];
  for (const { says: sentence, tried, call, show, wanted } of STEPS) {
    const answer = await call();
    let came: unknown = null;
    try {
      came = show(answer);
    } catch (error) {
      came = `${(error as Error).message}: ${answer.text.slice(0, 300)}`;
    }
    if (came !== wanted) faults.push(`${sentence}: ${String(came)} instead of ${String(wanted)}`);
    lines.push(`| ${sentence} | ${tried} | ${came === true ? 'refused' : String(came)} |`);
  }
  expect(faults).toEqual([]);
  const page = `${HEAD}${lines.join('\n')}\n`;
  if (process.env.WRITE_WALK) await writeFile(PAGE, page);
  expect(await readFile(PAGE, 'utf8')).toBe(page);
}, 180_000);

const HEAD = `# The contract, walked

<!-- Written by \`npm run walk\`. -->

What the interface says beside its routes and what the contract decides, each tried through HTTP on a service with a worker. The
routes themselves are in [the interface, walked](interface-walk.md).

| It says | Tried | Came back |
|---|---|---|
`;
