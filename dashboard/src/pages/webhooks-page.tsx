import { type FormEvent, useState } from 'react';
import { earshot } from '../api.ts';
import { LoadedView } from '../parts/loaded-view.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';

export function WebhooksPage() {
  const [endpoints, reloadEndpoints] = useLoad(
    () => earshot.request('listWebhookEndpoints', { query: {} }),
    'endpoints',
  );
  const [deliveries, reloadDeliveries] = useLoad(
    () => earshot.request('listWebhookDeliveries', { query: {} }),
    'deliveries',
  );
  const [secret, setSecret] = useState<string | null>(null);
  const { busy, problem, run } = useAction();
  const reload = () => {
    reloadEndpoints();
    reloadDeliveries();
  };
  const change = (work: () => Promise<unknown>) => void run(work).then(reload);
  const create = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const url = String(new FormData(event.currentTarget).get('url'));
    event.currentTarget.reset();
    change(async () =>
      setSecret((await earshot.request('createWebhookEndpoint', { body: { url } })).signing_secret),
    );
  };
  return (
    <>
      <h1>Webhooks</h1>
      <form className="card row" onSubmit={create}>
        <label>
          Address that is called when an analysis ends
          <input name="url" type="url" required size={40} placeholder="https://…" />
        </label>
        <button type="submit" className="main" disabled={busy}>
          Add endpoint
        </button>
      </form>
      {problem && (
        <p className="error" role="alert">
          {problem}
        </p>
      )}
      {secret && (
        <div className="card" role="status">
          <p>Signing secret, shown once:</p>
          <code>{secret}</code>
        </div>
      )}
      <h2>Endpoints</h2>
      <LoadedView loaded={endpoints} reload={reloadEndpoints}>
        {(list) =>
          list.length === 0 ? (
            <p className="soft">None yet.</p>
          ) : (
            <div className="scroll-x">
              <table>
                <tbody>
                  {list.map((endpoint) => (
                    <tr key={endpoint.id}>
                      <td>
                        <code>{endpoint.url}</code>
                      </td>
                      <td>
                        <span className="status" data-status={endpoint.status}>
                          {endpoint.status}
                        </span>
                      </td>
                      <td>
                        <span className="row">
                          <button
                            type="button"
                            disabled={busy}
                            onClick={() =>
                              change(() =>
                                earshot.request('testWebhookEndpoint', {
                                  params: { endpoint_id: endpoint.id },
                                }),
                              )
                            }
                          >
                            Send a test
                          </button>
                          <button
                            type="button"
                            disabled={busy}
                            onClick={() =>
                              change(async () =>
                                setSecret(
                                  (
                                    await earshot.request('rotateWebhookSecret', {
                                      params: { endpoint_id: endpoint.id },
                                    })
                                  ).signing_secret,
                                ),
                              )
                            }
                          >
                            Rotate secret
                          </button>
                          <button
                            type="button"
                            disabled={busy}
                            onClick={() =>
                              change(() =>
                                earshot.request('updateWebhookEndpoint', {
                                  params: { endpoint_id: endpoint.id },
                                  body: { status: endpoint.status === 'active' ? 'disabled' : 'active' },
                                }),
                              )
                            }
                          >
                            {endpoint.status === 'active' ? 'Disable' : 'Enable'}
                          </button>
                          <button
                            type="button"
                            className="danger"
                            disabled={busy}
                            onClick={() =>
                              change(() =>
                                earshot.request('deleteWebhookEndpoint', {
                                  params: { endpoint_id: endpoint.id },
                                }),
                              )
                            }
                          >
                            Delete
                          </button>
                        </span>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </LoadedView>
      <div className="spread">
        <h2>Deliveries</h2>
        <button
          type="button"
          disabled={busy}
          onClick={() => change(() => earshot.request('deliverWebhooks', { query: { force: true } }))}
        >
          Send all that wait or failed
        </button>
      </div>
      <LoadedView loaded={deliveries} reload={reloadDeliveries}>
        {(list) =>
          list.length === 0 ? (
            <p className="soft">None yet.</p>
          ) : (
            <div className="scroll-x">
              <table>
                <thead>
                  <tr>
                    <th>Event</th>
                    <th>Status</th>
                    <th>Attempts</th>
                    <th>Last answer</th>
                    <th>Made</th>
                    <th>
                      <span className="visually-hidden">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {list.map((delivery) => (
                    <tr key={delivery.id}>
                      <td>
                        {delivery.event_type}
                        <br />
                        <code>{delivery.id}</code>
                      </td>
                      <td>
                        <span className="status" data-status={delivery.status}>
                          {delivery.status}
                        </span>
                      </td>
                      <td>{delivery.attempt_count}</td>
                      <td>{delivery.last_status_code ?? delivery.last_error ?? '–'}</td>
                      <td>{new Date(delivery.created_at).toLocaleString()}</td>
                      <td>
                        {delivery.job_id && (
                          <button
                            type="button"
                            disabled={busy}
                            onClick={() =>
                              change(() =>
                                earshot.request('createJobWebhookDelivery', {
                                  params: { job_id: delivery.job_id ?? '' },
                                }),
                              )
                            }
                          >
                            Resend
                          </button>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </LoadedView>
    </>
  );
}
