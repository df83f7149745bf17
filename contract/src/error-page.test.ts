import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ERROR_STATUS } from './error-codes.ts';
import { buildErrorPage } from './error-page.ts';

test('docs/errors.md is current (npm run openapi writes it), and has a heading for every code', async () => {
  const page = await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  expect(page).toBe(buildErrorPage());
  for (const code of Object.keys(ERROR_STATUS)) expect(page).toContain(`\n### ${code}\n`);
});
