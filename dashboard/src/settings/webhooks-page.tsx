import { useEffect, useState } from 'react';
import { earshot } from '../api.ts';
import { listAll } from '../list-all.ts';
import { onFormSubmit } from '../on-form-submit.ts';
import { RequireRole, useHasRole } from '../session.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { OlderButton } from '../ui/older-button.tsx';
import { Problem } from '../ui/problem.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { useLog } from '../use-log.ts';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { WebhookEndpoints } from './webhook-endpoints.tsx';

/** Often enough to watch a delivery succeed; the list is polled only while one is waiting or under way. */
const REFRESH_MS = 3_000;

export function WebhooksPage() {
  const mayChange = useHasRole('admin');
  const [endpoints, reloadEndpoints] = useLoad(
    async () => (mayChange ? listAll('listWebhookEndpoints') : null),
    'endpoints',
  );
  const [deliveries, reloadDeliveries] = useLog('listWebhookDeliveries');
  const isDelivering =
    deliveries.state === 'ready' &&
    deliveries.value.items.some(({ status }) => /pending|delivering/.test(status));
  useEffect(() => {
    if (!isDelivering) return;
    // From each answer to the next request: a request on every tick would give up the one before, if that is slow.
    const timer = setTimeout(reloadDeliveries, REFRESH_MS);
    return () => clearTimeout(timer);
  }, [deliveries, isDelivering, reloadDeliveries]);
  const [secret, setSecret] = useState<string | null>(null);
  const { busy, problem, run } = useAction();
  const change = (work: () => Promise<unknown>) =>
    void run(work).then(() => {
      reloadEndpoints();
      reloadDeliveries();
    });
  const create = onFormSubmit((values, form) =>
    change(async () => {
      const body = { url: String(values.get('url')) };
      setSecret((await earshot.request('createWebhookEndpoint', { body })).signing_secret);
      form.reset();
    }),
  );
  return (
    <>
      <h1 className="page-head">Webhooks</h1>
      <Problem text={problem} />
      {mayChange && (
        <>
          <form className="card row end" onSubmit={create}>
            <label className="grow">
              Address that is called when an analysis ends
              <input name="url" type="url" required placeholder="https://…" />
            </label>
            <button type="submit" className="main" disabled={busy}>
              Add endpoint
            </button>
          </form>
          <ShownOnce message="Signing secret, shown once:" secret={secret} />
          <h2>Endpoints</h2>
          <LoadedView loaded={endpoints} reload={reloadEndpoints}>
            {(list) =>
              list && <WebhookEndpoints endpoints={list} busy={busy} change={change} onSecret={setSecret} />
            }
          </LoadedView>
        </>
      )}
      <div className="spread heading">
        <h2>Deliveries</h2>
        <RequireRole atLeast="member">
          <button
            type="button"
            disabled={busy}
            onClick={() => change(() => earshot.request('deliverWebhooks', { query: { force: true } }))}
          >
            Retry failed
          </button>
        </RequireRole>
      </div>
      <LoadedView loaded={deliveries} reload={reloadDeliveries}>
        {({ items, showOlder }) => (
          <>
            <WebhookDeliveries deliveries={items} busy={busy} change={change} />
            <OlderButton showOlder={showOlder} />
          </>
        )}
      </LoadedView>
    </>
  );
}
