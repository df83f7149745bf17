import type { RequestOutput } from '@earshot/sdk';
import { useState } from 'react';
import { Link } from 'wouter';
import { earshot } from '../api.ts';
import { formatClock } from '../format.ts';
import { DropZone } from '../parts/drop-zone.tsx';
import { LoadedView } from '../parts/loaded-view.tsx';
import { useLoad } from '../use-load.ts';

const STATUSES = ['queued', 'processing', 'completed', 'failed', 'canceled'] as const;
type Status = (typeof STATUSES)[number];
type Job = RequestOutput<'listAnalyses'>[number];

export function AnalysesPage() {
  const [status, setStatus] = useState<Status | null>(null);
  const [search, setSearch] = useState('');
  const [jobs, reload] = useLoad(
    () => earshot.request('listAnalyses', { query: { limit: 100, ...(status ? { status } : {}) } }),
    `analyses ${status ?? 'all'}`,
  );
  return (
    <>
      <h1>Analyses</h1>
      <DropZone onFinished={reload} />
      <div className="row">
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
        {(list) => <JobTable jobs={list.filter((job) => matches(job, search))} />}
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

export function nameOf(job: Job): string {
  return (
    job.file_name ?? job.metadata.file_name ?? decodeURIComponent(job.source_url.split('/').at(-1) ?? job.id)
  );
}

function JobTable({ jobs }: { jobs: Job[] }) {
  if (jobs.length === 0) return <p className="page-state">Nothing here yet. Drop a song above.</p>;
  return (
    <div className="scroll-x">
      <table>
        <thead>
          <tr>
            <th>Song</th>
            <th>Status</th>
            <th>BPM</th>
            <th>Key</th>
            <th>LUFS</th>
            <th>Length</th>
            <th>Submitted</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={job.id}>
              <td>
                <Link href={`/analyses/${job.id}`}>{nameOf(job)}</Link>
              </td>
              <td>
                <span className="status" data-status={job.status}>
                  {job.status}
                </span>
              </td>
              <td>{job.headline?.bpm?.toFixed(1) ?? '–'}</td>
              <td>
                {job.headline?.key_notation ? `${job.headline.key_notation} (${job.headline.camelot})` : '–'}
              </td>
              <td>{job.headline?.loudness_lufs?.toFixed(1) ?? '–'}</td>
              <td>{job.headline ? formatClock(job.headline.duration_seconds) : '–'}</td>
              <td>{new Date(job.created_at).toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
