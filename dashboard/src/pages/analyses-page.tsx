import type { RequestOutput } from '@earshot/sdk';
import { useState } from 'react';
import { Link } from 'wouter';
import { earshot } from '../api.ts';
import { formatClock, formatMoment } from '../format.ts';
import { nameOf } from '../job-name.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { DropZone } from '../parts/drop-zone.tsx';
import { LoadedView } from '../parts/loaded-view.tsx';
import { SetAsideNotice } from '../parts/set-aside-notice.tsx';
import { Status } from '../parts/status.tsx';
import { useLoad } from '../use-load.ts';

const STATUSES = ['queued', 'processing', 'completed', 'failed', 'canceled'] as const;
type JobStatus = (typeof STATUSES)[number];
type Job = RequestOutput<'listAnalyses'>[number];

export function AnalysesPage() {
  const [status, setStatus] = useState<JobStatus | null>(null);
  const [search, setSearch] = useState('');
  const [jobs, reload] = useLoad(
    () => earshot.request('listAnalyses', { query: { limit: 100, ...(status ? { status } : {}) } }),
    `analyses ${status ?? 'all'}`,
  );
  return (
    <>
      <h1>Analyses</h1>
      <SetAsideNotice />
      <DropZone onFinished={reload} />
      <div className="row filters">
        <label>
          Search
          <input type="search" value={search} onChange={(event) => setSearch(event.target.value)} />
        </label>
        <label>
          Status
          <select
            value={status ?? ''}
            onChange={(event) => setStatus(STATUSES.find((name) => name === event.target.value) ?? null)}
          >
            <option value="">all</option>
            {STATUSES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      <LoadedView loaded={jobs} reload={reload}>
        {(list) => (
          <DataTable
            label="Analyses"
            columns={COLUMNS}
            rows={list.filter((job) => matches(job, search))}
            rowKey={(job) => job.id}
            empty={list.length === 0 ? 'Nothing here yet. Drop a song above.' : 'No song fits the search.'}
          />
        )}
      </LoadedView>
    </>
  );
}

function matches(job: Job, search: string): boolean {
  const text =
    `${nameOf(job)} ${job.headline?.key_notation ?? ''} ${job.headline?.camelot ?? ''} ${job.id}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const COLUMNS: Column<Job>[] = [
  { title: 'Song', cell: (job) => <Link href={`/analyses/${job.id}`}>{nameOf(job)}</Link> },
  { title: 'Status', cell: (job) => <Status value={job.status} /> },
  { title: 'BPM', cell: (job) => job.headline?.bpm?.toFixed(1) ?? '–' },
  {
    title: 'Key',
    cell: ({ headline }) => (headline?.key_notation ? `${headline.key_notation} (${headline.camelot})` : '–'),
  },
  { title: 'LUFS', cell: (job) => job.headline?.loudness_lufs?.toFixed(1) ?? '–' },
  { title: 'Length', cell: (job) => (job.headline ? formatClock(job.headline.duration_seconds) : '–') },
  { title: 'Submitted', cell: (job) => formatMoment(job.created_at) },
];
