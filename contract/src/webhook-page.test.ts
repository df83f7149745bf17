import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { buildWebhookPage } from './webhook-page.ts';

test('docs/webhook-events.md is current (npm run openapi writes it)', async () => {
  const page = await readFile(new URL('../../docs/webhook-events.md', import.meta.url), 'utf8');
  expect(page).toBe(buildWebhookPage());
});
