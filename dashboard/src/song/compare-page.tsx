import { useLocation } from 'wouter';
import { earshot } from '../api.ts';
import type { Result } from '../result.ts';
import { songNames } from '../song-names.ts';
import { Curves } from '../ui/curves.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { useLoad } from '../use-load.ts';
import { useTitle } from '../use-title.ts';
import { type Comparison, compareSongs } from './compare.ts';
import { loadGroups } from './load-groups.ts';
import { SongChoice } from './song-choice.tsx';

/** Two songs side by side: to plan a set, or to check a master against a reference. */
export function ComparePage({ params }: { params: { first: string; second?: string } }) {
  const { first, second } = params;
  const [, go] = useLocation();
  useTitle('Compare');
  return (
    <>
      <h1 className="page-head">Compare</h1>
      <div className="row card">
        <SongChoice
          label="First song"
          value={first}
          onChange={(id) => go(`/compare/${id}${second ? `/${second}` : ''}`)}
        />
        <SongChoice
          label="Second song"
          value={second ?? null}
          onChange={(id) => go(`/compare/${first}/${id}`)}
        />
      </div>
      {second ? (
        <SideBySide first={first} second={second} />
      ) : (
        <p className="page-state">Choose a second song.</p>
      )}
    </>
  );
}

function SideBySide({ first, second }: { first: string; second: string }) {
  const [songs, reload] = useLoad(() => Promise.all([first, second].map(loadSong)), `${first} ${second}`);
  const columnsOf = (names: readonly string[]): Column<Comparison>[] => [
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
            columns={columnsOf([one!.title, two!.title])}
            rows={compareSongs(one!.result, two!.result)}
            rowKey={({ measure }) => measure}
            empty=""
            phoneLayout="side-by-side"
          />
          <Curves
            title="Loudness"
            unit="LUFS, short-term"
            lines={[one!, two!].map(({ title, result }, index) => ({
              name: `${index + 1}. ${title}`,
              points: shortTermLoudness(result),
            }))}
            // As in engine/src/loudness/platform-gains.ts.
            references={[
              { value: -14, label: 'Spotify, YouTube, Tidal, Amazon Music' },
              { value: -16, label: 'Apple Music, podcasts' },
            ]}
          />
        </>
      )}
    </LoadedView>
  );
}

async function loadSong(id: string): Promise<{ title: string; result: Result }> {
  const [job, result] = await Promise.all([
    earshot.request('getAnalysis', { params: { job_id: id } }),
    loadGroups(id, 'loudness'),
  ]);
  return { title: songNames(job).title, result };
}

function shortTermLoudness(result: Result): (readonly [seconds: number, lufs: number])[] {
  const curve = result.loudness?.short_term;
  return (curve?.values ?? []).flatMap((value, index) =>
    value === null ? [] : [[curve!.start_seconds + index * curve!.hop_seconds, value] as const],
  );
}
