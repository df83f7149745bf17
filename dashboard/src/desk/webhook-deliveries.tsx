import type { RequestOutput } from '@earshot/sdk';
import { Fragment, useState } from 'react';
import { Link } from 'wouter';
import { earshot } from '../api.ts';
import { formatMoment } from '../format.ts';
import { songNames } from '../song-names.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Status } from '../ui/status.tsx';
import { useLoad } from '../use-load.ts';

type Delivery = RequestOutput<'listWebhookDeliveries'>[number];
type Attempt = RequestOutput<'listKeyAnalysisWebhooks'>['attempts'][number];
type Props = {
  deliveries: Delivery[];
  busy: boolean;
  change: (work: () => Promise<unknown>) => void;
};

const COLUMN_COUNT = 5;

/** What was sent where and of which song; a row opens in place. */
export function WebhookDeliveries({ deliveries, busy, change }: Props) {
  const [shownId, setShownId] = useState<string | null>(null);
  const [titles] = useLoad(loadTitles, 'titles');
  if (deliveries.length === 0) return <p className="page-state">Nothing has been sent yet.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll the table.
    <section className="scroll-x stacks" aria-label="Deliveries" tabIndex={0}>
      <table className="deliveries">
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Status</th>
            <th scope="col">Last answer</th>
            <th scope="col">Created</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => {
            const open = delivery.id === shownId;
            return (
              <Fragment key={delivery.id}>
                <tr>
                  <td data-label="Event">
                    <div>
                      {delivery.event_type}
                      <br />
                      <span className="soft small">
                        <Target
                          delivery={delivery}
                          title={
                            (titles.state === 'ready' && titles.value.get(delivery.job_id ?? '')) ||
                            'the song'
                          }
                        />
                      </span>
                    </div>
                  </td>
                  <td data-label="Status">
                    <div>
                      <Status value={delivery.status} />
                      <br />
                      <span className="soft small">
                        {delivery.attempt_count === 1 ? '1 attempt' : `${delivery.attempt_count} attempts`}
                      </span>
                    </div>
                  </td>
                  <td data-label="Last answer">{delivery.last_status_code ?? delivery.last_error ?? '–'}</td>
                  <td data-label="Made" className="nowrap">
                    {formatMoment(delivery.created_at)}
                  </td>
                  <td data-label="" className="actions">
                    <Actions
                      delivery={delivery}
                      busy={busy}
                      open={open}
                      change={change}
                      onToggle={() => setShownId(open ? null : delivery.id)}
                    />
                  </td>
                </tr>
                {open && delivery.job_id && (
                  <tr>
                    <td colSpan={COLUMN_COUNT} className="whole">
                      <Attempts jobId={delivery.job_id} deliveryId={delivery.id} body={delivery.body} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** Deliveries are of what was analysed last: the names of so many songs are asked for at once. */
const TITLES_MAX = 200;

async function loadTitles(): Promise<Map<string, string>> {
  const songs = await earshot.request('listAnalyses', { query: { limit: TITLES_MAX } });
  return new Map(songs.map((song) => [song.id, songNames(song).title]));
}

function Target({ delivery, title }: { delivery: Delivery; title: string }) {
  return (
    <>
      {delivery.url}
      {delivery.job_id && (
        <>
          {' · '}
          <Link href={`/analyses/${delivery.job_id}`}>{title}</Link>
        </>
      )}
    </>
  );
}

function Actions(props: {
  delivery: Delivery;
  busy: boolean;
  open: boolean;
  change: Props['change'];
  onToggle: () => void;
}) {
  const { delivery, busy, open, change, onToggle } = props;
  const { job_id } = delivery;
  if (!job_id) return null;
  return (
    <span className="row">
      <button
        type="button"
        disabled={busy}
        onClick={() => change(() => earshot.request('createJobWebhookDelivery', { params: { job_id } }))}
      >
        Resend
      </button>
      <button type="button" aria-expanded={open} onClick={onToggle}>
        Attempts
      </button>
    </span>
  );
}

const ATTEMPT_COLUMNS: Column<Attempt>[] = [
  { title: 'Attempt', cell: ({ attempt }) => attempt },
  { title: 'When', cell: ({ attempted_at }) => formatMoment(attempted_at) },
  { title: 'Outcome', cell: ({ status }) => <Status value={status} /> },
  { title: 'Answer', cell: ({ status_code, error }) => status_code ?? error ?? '–' },
  { title: 'Took', cell: ({ duration_ms }) => `${duration_ms} ms` },
];

function Attempts({ jobId, deliveryId, body }: { jobId: string; deliveryId: string; body: string }) {
  const [attempts, reload] = useLoad(
    () => earshot.request('listKeyAnalysisWebhooks', { params: { job_id: jobId } }),
    `${jobId} ${deliveryId}`,
  );
  return (
    <section className="stack" aria-label={`Attempts of ${deliveryId}`}>
      <LoadedView loaded={attempts} reload={reload}>
        {(answer) => (
          <DataTable
            label={`Attempts of ${deliveryId}`}
            columns={ATTEMPT_COLUMNS}
            rows={answer.attempts.filter((attempt) => attempt.delivery_id === deliveryId)}
            rowKey={({ id }) => id}
            empty="It has not been tried yet."
          />
        )}
      </LoadedView>
      <h3>Body</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also for whoever has no mouse. */}
      <pre tabIndex={0}>
        <code>{JSON.stringify(JSON.parse(body), null, 2)}</code>
      </pre>
    </section>
  );
}
