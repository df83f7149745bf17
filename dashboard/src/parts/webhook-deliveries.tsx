import type { RequestOutput } from '@earshot/sdk';
import { useState } from 'react';
import { earshot } from '../api.ts';
import { formatMoment } from '../format.ts';
import { useLoad } from '../use-load.ts';
import { type Column, DataTable } from './data-table.tsx';
import { LoadedView } from './loaded-view.tsx';
import { Status } from './status.tsx';

type Delivery = RequestOutput<'listWebhookDeliveries'>[number];
type Attempt = RequestOutput<'listKeyAnalysisWebhooks'>['attempts'][number];
type Props = { deliveries: Delivery[]; busy: boolean; change: (work: () => Promise<unknown>) => void };

export function WebhookDeliveries({ deliveries, busy, change }: Props) {
  const [shown, setShown] = useState<Delivery | null>(null);
  const columns: Column<Delivery>[] = [
    {
      title: 'Event',
      cell: ({ id, event_type }) => (
        <>
          {event_type}
          <br />
          <code>{id}</code>
        </>
      ),
    },
    { title: 'Status', cell: ({ status }) => <Status value={status} /> },
    { title: 'Attempts', cell: ({ attempt_count }) => attempt_count },
    {
      title: 'Last answer',
      cell: ({ last_status_code, last_error }) => last_status_code ?? last_error ?? '–',
    },
    { title: 'Made', cell: ({ created_at }) => formatMoment(created_at) },
    {
      title: 'Actions',
      titleHidden: true,
      cell: (delivery) => {
        const { job_id } = delivery;
        return (
          job_id && (
            <span className="row">
              <button
                type="button"
                disabled={busy}
                onClick={() =>
                  change(() => earshot.request('createJobWebhookDelivery', { params: { job_id } }))
                }
              >
                Resend
              </button>
              <button
                type="button"
                aria-expanded={shown?.id === delivery.id}
                onClick={() => setShown(shown?.id === delivery.id ? null : delivery)}
              >
                Attempts
              </button>
            </span>
          )
        );
      },
    },
  ];
  return (
    <>
      <DataTable
        label="Deliveries"
        columns={columns}
        rows={deliveries}
        rowKey={({ id }) => id}
        empty="Nothing has been sent yet."
      />
      {shown?.job_id && (
        <Attempts key={shown.id} jobId={shown.job_id} deliveryId={shown.id} body={shown.body} />
      )}
    </>
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
    <section className="card">
      <h3>
        Attempts of <code>{deliveryId}</code>
      </h3>
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
      <h4>Body</h4>
      <pre>
        <code>{JSON.stringify(JSON.parse(body), null, 2)}</code>
      </pre>
    </section>
  );
}
