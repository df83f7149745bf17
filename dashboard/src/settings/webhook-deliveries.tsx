import type { RequestOutput } from '@earshot/sdk';
import { useState } from 'react';
import { Link } from 'wouter';
import { earshot } from '../api.ts';
import { formatMoment } from '../format.ts';
import { readAllPages } from '../list-all.ts';
import { PAGE_SONGS_MAX } from '../service-limits.ts';
import { RequireRole } from '../session.tsx';
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

/** One row per delivery, with its endpoint and song; a row expands to its attempts. */
export function WebhookDeliveries({ deliveries, busy, change }: Props) {
  const [expandedId, setExpandedId] = useState<string | null>(null);
  const [titles] = useLoad(loadTitles, 'titles');
  const titleOf = (jobId: string) =>
    (titles.state === 'ready' ? titles.value.get(jobId) : null) ?? 'the song';
  const columns: Column<Delivery>[] = [
    {
      title: 'Event',
      cell: (delivery) => (
        <>
          {delivery.event_type}
          <br />
          <span className="soft small">
            {delivery.url}
            {delivery.job_id && (
              <>
                {' · '}
                <Link href={`/analyses/${delivery.job_id}`}>{titleOf(delivery.job_id)}</Link>
              </>
            )}
          </span>
        </>
      ),
    },
    {
      title: 'Status',
      cell: ({ status, attempt_count }) => (
        <>
          <Status value={status} />
          <br />
          <span className="soft small">
            {attempt_count === 1 ? '1 attempt' : `${attempt_count} attempts`}
          </span>
        </>
      ),
    },
    {
      title: 'Last answer',
      cell: ({ last_status_code, last_error }) => last_status_code ?? last_error ?? '–',
    },
    {
      title: 'Created',
      cell: ({ created_at }) => <span className="nowrap">{formatMoment(created_at)}</span>,
    },
    {
      title: 'Actions',
      titleHidden: true,
      cell: (delivery) => {
        const isOpen = delivery.id === expandedId;
        const toggle = () => setExpandedId(isOpen ? null : delivery.id);
        return <Actions delivery={delivery} busy={busy} isOpen={isOpen} change={change} onToggle={toggle} />;
      },
    },
  ];
  return (
    <DataTable
      label="Deliveries"
      columns={columns}
      rows={deliveries}
      rowKey={({ id }) => id}
      below={({ id, job_id, body }) =>
        id === expandedId && job_id && <Attempts jobId={job_id} deliveryId={id} body={body} />
      }
      empty="Nothing has been sent yet."
    />
  );
}

/** Recent deliveries concern recent songs, so one page of titles covers most rows; the rest say “the song”. */
async function loadTitles(): Promise<Map<string, string>> {
  const songs = await earshot.request('listAnalyses', { query: { limit: PAGE_SONGS_MAX } });
  return new Map(songs.map((song) => [song.id, songNames(song).title]));
}

function Actions(props: {
  delivery: Delivery;
  busy: boolean;
  isOpen: boolean;
  change: Props['change'];
  onToggle: () => void;
}) {
  const { delivery, busy, isOpen, change, onToggle } = props;
  const { job_id } = delivery;
  if (!job_id) return null;
  return (
    <span className="row">
      <RequireRole atLeast="member">
        <button
          type="button"
          disabled={busy}
          onClick={() => change(() => earshot.request('createJobWebhookDelivery', { params: { job_id } }))}
        >
          Resend
        </button>
      </RequireRole>
      <button type="button" aria-expanded={isOpen} onClick={onToggle}>
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
    () =>
      readAllPages(async (query) => {
        const params = { job_id: jobId };
        return (await earshot.request('listKeyAnalysisWebhooks', { params, query })).attempts;
      }),
    `${jobId} ${deliveryId}`,
  );
  return (
    <section className="stack" aria-label={`Attempts of ${deliveryId}`}>
      <LoadedView loaded={attempts} reload={reload}>
        {(list) => (
          <DataTable
            label={`Attempts of ${deliveryId}`}
            columns={ATTEMPT_COLUMNS}
            rows={list.filter((attempt) => attempt.delivery_id === deliveryId)}
            rowKey={({ id }) => id}
            empty="Not attempted yet."
          />
        )}
      </LoadedView>
      <h3>Body</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll long lines. */}
      <pre tabIndex={0}>
        <code>{JSON.stringify(JSON.parse(body), null, 2)}</code>
      </pre>
    </section>
  );
}
