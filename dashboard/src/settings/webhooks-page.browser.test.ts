import { afterAll, beforeAll, expect, it } from 'vitest';
import { goTo } from '../test/page-actions.ts';
import { signIn } from '../test/sign-in.ts';
import { openVisit, type Visit } from '../test/visit.ts';

let visit: Visit;
beforeAll(async () => {
  visit = await openVisit({ width: 1280, height: 900, colorScheme: 'light' });
  await signIn(visit, 'webhooks-page@example.com');
});
afterAll(() => visit.context.close());

/** Longer than the page waits before it requests the list again. */
const SLOW_MS = 4_000;

it('a delivery is followed to its end although the service answers slowly', async () => {
  const { page } = visit;
  let answerCount = 0;
  await page.route('**/v1/webhook-deliveries?*', async (route) => {
    const isFirst = answerCount++ === 0;
    if (!isFirst) await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    const delivery = {
      id: 'whd_1',
      job_id: null,
      event_type: 'webhook.test',
      status: isFirst ? 'pending' : 'delivered',
      attempt_count: isFirst ? 0 : 1,
      created_at: '2026-11-01T12:00:00.000Z',
      url: 'https://receiver.test/hook',
      last_status_code: null,
      last_error: null,
    };
    // Fails for a request that the page has given up.
    await route.fulfill({ json: [delivery] }).catch(() => {});
  });
  await goTo(visit, 'Webhooks');
  const row = page.getByRole('row').filter({ hasText: 'webhook.test' });
  await row.getByText('pending').waitFor();
  await row.getByText('delivered').waitFor();
  expect(visit.takeFaults()).toEqual([]);
});
