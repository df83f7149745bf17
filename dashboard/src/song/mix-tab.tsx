import type { RequestOutput } from '@earshot/sdk';
import { Layers2, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { earshot } from '../api.ts';
import { formatPercent } from '../format.ts';
import { playSong } from '../library/play-song.ts';
import { mixesWith } from '../music/camelot.ts';
import { usePlayer, usePlayerState } from '../playback/use-player.tsx';
import type { Result } from '../result.ts';
import { songNames } from '../song-names.ts';
import { KeyChip } from '../ui/key-chip.tsx';
import { KeyWheel } from '../ui/key-wheel.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { useToast } from '../ui/toasts.tsx';
import { useLoad } from '../use-load.ts';
import { type Own, playBoth } from './play-both.ts';

type Neighbour = RequestOutput<'listNextAnalyses'>[number] | RequestOutput<'listSimilarAnalyses'>[number];

/** A full card beside the key wheel. */
const NEIGHBOURS_MAX = 12;

/** Compatible keys, the songs that mix well next and those that sound alike, each with the reason. */
export function MixTab({ result, jobId }: { result: Result; jobId: string }) {
  const request = { params: { job_id: jobId }, query: { limit: NEIGHBOURS_MAX } };
  return (
    <div className="cards two">
      <Mixing />
      {result.camelot && (
        <section className="card">
          <h2>Compatible keys</h2>
          <KeyWheel selected={[result.camelot]} related={mixesWith(result.camelot)} />
        </section>
      )}
      <Neighbours
        title="Mixes next"
        empty="No other song fits in tempo and key."
        load={() => earshot.request('listNextAnalyses', request)}
        // A correction of this song changes what fits.
        loadKey={`next ${jobId} ${result.bpm} ${result.camelot}`}
        own={{ id: jobId, result }}
        score={({ score }) => score}
      />
      <Neighbours
        title="Sounds alike"
        empty="No other song yet."
        load={() => earshot.request('listSimilarAnalyses', request)}
        loadKey={`similar ${jobId}`}
        own={{ id: jobId, result }}
        score={({ similarity }) => similarity}
      />
    </div>
  );
}

/** Below this, the speed change is displayed as 0.0 %. */
const SPEED_CHANGE_PERCENT_MIN = 0.05;

/** The song that plays along, with the crossfader. */
function Mixing() {
  const player = usePlayer();
  const { mix } = usePlayerState();
  if (!mix) return null;
  const { title, alignment } = mix.song;
  const changePercent = (alignment.ratio - 1) * 100;
  return (
    <section className="card" aria-label="Playing both">
      <div className="spread">
        <h2>With {title}</h2>
        <button type="button" onClick={() => player.endMix()}>
          Stop
        </button>
      </div>
      <p className="soft small">
        {Math.abs(changePercent) < SPEED_CHANGE_PERCENT_MIN
          ? 'at its own tempo'
          : `played ${Math.abs(changePercent).toFixed(1)} % ${changePercent > 0 ? 'faster' : 'slower'}`}
        , bar on bar
      </p>
      <label>
        Fader
        <input
          type="range"
          min={0}
          max={100}
          value={Math.round(mix.fadeFraction * 100)}
          aria-valuetext={`${Math.round(mix.fadeFraction * 100)} per cent of ${title}`}
          onChange={(event) => player.setFade(Number(event.target.value) / 100)}
        />
      </label>
    </section>
  );
}

function Neighbours<Song extends Neighbour>(props: {
  title: string;
  empty: string;
  load: () => Promise<Song[]>;
  loadKey: string;
  own: Own;
  score: (song: Song) => number;
}): ReactNode {
  const { title, empty, load, loadKey, own, score } = props;
  const [songs, reload] = useLoad(load, loadKey);
  return (
    <section className="card">
      <h2>{title}</h2>
      <LoadedView loaded={songs} reload={reload}>
        {(list) => {
          const others = list.filter(({ job }) => job.id !== own.id);
          return (
            <ul className="plain neighbour-list">
              {others.length === 0 && <li className="soft">{empty}</li>}
              {others.map((song) => (
                <NeighbourRow key={song.job.id} own={own} song={song} percent={formatPercent(score(song))} />
              ))}
            </ul>
          );
        }}
      </LoadedView>
    </section>
  );
}

function NeighbourRow({ own, song, percent }: { own: Own; song: Neighbour; percent: string }) {
  const player = usePlayer();
  const showToast = useToast();
  const { track, silent } = usePlayerState();
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
          <span className="song-title-line" dir="auto">
            {title}
          </span>
        </Link>
        <span className="soft small">
          {percent}, {reason}
        </span>
      </span>
      {job.source_available && track?.id === own.id && !silent && (
        <button
          type="button"
          className="icon quiet"
          aria-label={`Play both, this song and ${title}`}
          title="Play both"
          onClick={() => void playBoth(player, own, job).catch((error: Error) => showToast(error.message))}
        >
          <Layers2 size={15} />
        </button>
      )}
      <span>{job.headline?.bpm?.toFixed(1) ?? '–'}</span>
      <KeyChip notation={job.headline?.key_notation ?? null} camelot={job.headline?.camelot ?? null} />
    </li>
  );
}
