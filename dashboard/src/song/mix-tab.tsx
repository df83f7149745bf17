import type { RequestOutput } from '@earshot/sdk';
import { Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { earshot } from '../api.ts';
import { mixesWith } from '../camelot.ts';
import { formatPercent } from '../format.ts';
import { playSong } from '../library/play-song.ts';
import { usePlayer } from '../playback/use-player.tsx';
import type { Result } from '../result.ts';
import { songNames } from '../song-names.ts';
import { KeyChip } from '../ui/key-chip.tsx';
import { KeyWheel } from '../ui/key-wheel.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { useLoad } from '../use-load.ts';

type Neighbour = RequestOutput<'listNextAnalyses'>[number] | RequestOutput<'listSimilarAnalyses'>[number];

const SHOWN = 12;

/** Compatible keys, what mixes next, and what sounds alike, each with its reason. */
export function MixTab({ result, jobId }: { result: Result; jobId: string }) {
  const asked = { params: { job_id: jobId }, query: { limit: SHOWN } };
  return (
    <div className="cards two">
      {result.camelot && (
        <section className="card">
          <h2>Compatible keys</h2>
          <KeyWheel selected={[result.camelot]} related={mixesWith(result.camelot)} />
        </section>
      )}
      <Neighbours
        title="Mixes next"
        empty="No other song fits in tempo and key."
        load={() => earshot.request('listNextAnalyses', asked)}
        // A correction of this song changes what fits.
        loadKey={`next ${jobId} ${result.bpm} ${result.camelot}`}
        ownId={jobId}
        score={(song) => ('score' in song ? song.score : song.similarity)}
      />
      <Neighbours
        title="Sounds alike"
        empty="No other song yet."
        load={() => earshot.request('listSimilarAnalyses', asked)}
        loadKey={`similar ${jobId}`}
        ownId={jobId}
        score={(song) => ('similarity' in song ? song.similarity : song.score)}
      />
    </div>
  );
}

function Neighbours(props: {
  title: string;
  empty: string;
  load: () => Promise<Neighbour[]>;
  loadKey: string;
  ownId: string;
  score: (song: Neighbour) => number;
}): ReactNode {
  const { title, empty, load, loadKey, ownId, score } = props;
  const [songs, reload] = useLoad(load, loadKey);
  return (
    <section className="card">
      <h2>{title}</h2>
      <LoadedView loaded={songs} reload={reload}>
        {(list) => {
          const others = list.filter(({ job }) => job.id !== ownId);
          return (
            <ul className="plain neighbour-list">
              {others.length === 0 && <li className="soft">{empty}</li>}
              {others.map((song) => (
                <NeighbourRow key={song.job.id} song={song} percent={formatPercent(score(song))} />
              ))}
            </ul>
          );
        }}
      </LoadedView>
    </section>
  );
}

function NeighbourRow({ song, percent }: { song: Neighbour; percent: string }) {
  const player = usePlayer();
  const { job, reason } = song;
  const { title } = songNames(job);
  return (
    <li>
      <button
        type="button"
        className="icon quiet"
        aria-label={`Play ${title}`}
        onClick={() => playSong(player, job)}
      >
        <Play size={15} />
      </button>
      <span className="song-names">
        <Link href={`/analyses/${job.id}`} className="song-link">
          <span className="song-title-line">{title}</span>
        </Link>
        <span className="soft small">
          {percent}, {reason}
        </span>
      </span>
      <span>{job.headline?.bpm?.toFixed(1) ?? '–'}</span>
      <KeyChip notation={job.headline?.key_notation ?? null} camelot={job.headline?.camelot ?? null} />
    </li>
  );
}
