import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { STEPS } from './contract-walk-steps.ts';

/**
 * Tries the rules of the API, such as those for errors, credentials, limits and jobs, on the app with a worker.
 * `WRITE_WALK=1` writes the responses into docs/contract-walk.md; otherwise that page must have the responses of this run.
 */

const PAGE = new URL('../../../../docs/contract-walk.md', import.meta.url);

/** Every rule takes some requests, and some wait for an analysis, on a busy machine. */
const WALK_TIMEOUT_MS = 180_000;

it(
  'every rule holds',
  async () => {
    const lines: string[] = [];
    const faults: string[] = [];
    for (const { says: rule, tried, call, show, wanted } of STEPS) {
      const answer = await call();
      let shown: unknown = null;
      try {
        shown = show(answer);
      } catch (error) {
        shown = `${(error as Error).message}: ${answer.text.slice(0, 300)}`;
      }
      if (shown !== wanted) faults.push(`${rule}: ${String(shown)} instead of ${String(wanted)}`);
      lines.push(`| ${rule} | ${tried} | ${String(shown)} |`);
    }
    expect(faults).toEqual([]);
    const page = `${HEAD}${lines.join('\n')}\n`;
    if (process.env.WRITE_WALK) await writeFile(PAGE, page);
    expect(await readFile(PAGE, 'utf8')).toBe(page);
  },
  WALK_TIMEOUT_MS,
);

const HEAD = `# The contract, walked

<!-- Written by \`npm run walk\`. -->

The rules of the API, such as those for errors, credentials, limits and jobs, each tried over HTTP on a service with a worker. The routes
and their fields are in [the interface, walked](interface-walk.md).

| Rule | Tried | Came back |
|---|---|---|
`;
