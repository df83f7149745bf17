import type { RequestOutput } from '@earshot/sdk';
import { useLocation } from 'wouter';
import { earshot } from '../api.ts';
import type { Result } from '../result.ts';
import { songNames } from '../song-names.ts';
import { Curve } from '../ui/curve.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { useLoad } from '../use-load.ts';
import { useTitle } from '../use-title.ts';
import { type Comparison, compareSongs } from './compare.ts';
import { loadGroups } from './load-groups.ts';

type Job = RequestOutput<'listAnalyses'>[number];

/** Two songs side by side, for a set, a master, or a second opinion. */
export function ComparePage({ params }: { params: { first: string; second?: string } }) {
  const { first, second } = params;
  const [, go] = useLocation();
  useTitle('Compare');
  const [jobs, reload] = useLoad(
    () => earshot.request('listAnalyses', { query: { limit: 100, status: 'completed' } }),
    'completed analyses',
  );
  return (
    <>
      <h1>Compare</h1>
      <LoadedView loaded={jobs} reload={reload}>
        {(list) => (
          <>
            <div className="row card">
              <SongChoice
                label="First song"
                jobs={list}
                value={first}
                onChange={(id) => go(`/compare/${id}${second ? `/${second}` : ''}`)}
              />
              <SongChoice
                label="Second song"
                jobs={list}
                value={second ?? ''}
                onChange={(id) => go(`/compare/${first}/${id}`)}
              />
            </div>
            {second ? (
              <SideBySide first={first} second={second} names={[nameIn(list, first), nameIn(list, second)]} />
            ) : (
              <p className="page-state">Choose a second song.</p>
            )}
          </>
        )}
      </LoadedView>
    </>
  );
}

function nameIn(jobs: readonly Job[], id: string): string {
  const job = jobs.find((one) => one.id === id);
  return job ? songNames(job).title : id;
}

function SongChoice(props: { label: string; jobs: Job[]; value: string; onChange: (id: string) => void }) {
  const { label, jobs, value, onChange } = props;
  return (
    <label className="grow">
      {label}
      <select value={value} onChange={(event) => event.target.value && onChange(event.target.value)}>
        {!jobs.some(({ id }) => id === value) && <option value={value}>{value || 'choose…'}</option>}
        {jobs.map((job) => (
          <option key={job.id} value={job.id}>
            {songNames(job).title}
          </option>
        ))}
      </select>
    </label>
  );
}

function SideBySide({ first, second, names }: { first: string; second: string; names: [string, string] }) {
  const [songs, reload] = useLoad(
    () => Promise.all([first, second].map((id) => loadGroups(id, 'loudness'))),
    `${first} ${second}`,
  );
  const columns: Column<Comparison>[] = [
    { title: 'Measure', cell: ({ measure }) => measure },
    { title: `1. ${names[0]}`, cell: ({ first: value }) => value },
    { title: `2. ${names[1]}`, cell: ({ second: value }) => value },
    { title: 'Difference', cell: ({ difference }) => difference },
  ];
  return (
    <LoadedView loaded={songs} reload={reload}>
      {([one, two]) => (
        <>
          <DataTable
            label="Comparison"
            columns={columns}
            rows={compareSongs(one!, two!)}
            rowKey={({ measure }) => measure}
            empty=""
          />
          <div className="columns heading">
            <LoudnessCurve result={one!} title={`1. ${names[0]}`} />
            <LoudnessCurve result={two!} title={`2. ${names[1]}`} />
          </div>
        </>
      )}
    </LoadedView>
  );
}

function LoudnessCurve({ result, title }: { result: Result; title: string }) {
  const curve = result.loudness?.short_term;
  if (!curve) return null;
  const points = curve.values.flatMap((value, index) =>
    value === null || value < -70 ? [] : [[curve.start_seconds + index * curve.hop_seconds, value] as const],
  );
  return (
    <Curve
      title={title}
      unit="LUFS, short-term"
      durationSeconds={result.duration_seconds}
      spanMin={20}
      points={points}
      references={[
        { value: -14, label: '−14 Spotify, YouTube, Tidal, Amazon' },
        { value: -16, label: '−16 Apple Music, podcasts' },
      ]}
    />
  );
}
