import { Play } from 'lucide-react';
import { Link } from 'wouter';
import { earshot } from '../api.ts';
import { mixesWith } from '../camelot.ts';
import { playSong } from '../library/play-song.ts';
import type { SongRow } from '../library/use-songs.ts';
import { usePlayer } from '../playback/use-player.tsx';
import type { Result } from '../result.ts';
import { songNames } from '../song-names.ts';
import { KeyChip } from '../ui/key-chip.tsx';
import { KeyWheel } from '../ui/key-wheel.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { useLoad } from '../use-load.ts';

const SHOWN = 20;

/** Compatible keys, and the songs of the library that can be mixed in: their tempo is near, half or double. */
export function MixTab({ result, jobId }: { result: Result; jobId: string }) {
  const [songs, reload] = useLoad(
    () => findMixable(result, jobId),
    `mix ${jobId} ${result.bpm} ${result.camelot}`,
  );
  return (
    <div className="columns">
      {result.camelot && (
        <section className="card">
          <h2>Compatible keys</h2>
          <KeyWheel selected={[result.camelot]} related={mixesWith(result.camelot)} />
        </section>
      )}
      <section className="card">
        <h2>Mixes with</h2>
        <LoadedView loaded={songs} reload={reload}>
          {(list) => (
            <ul className="plain neighbour-list">
              {list.length === 0 && <li className="soft">No other song fits in tempo and key.</li>}
              {list.map((song) => (
                <MixableRow key={song.id} song={song} bpm={result.bpm} />
              ))}
            </ul>
          )}
        </LoadedView>
      </section>
    </div>
  );
}

async function findMixable(result: Result, jobId: string): Promise<SongRow[]> {
  if (!result.camelot || result.bpm === null) return [];
  const query = { compatible_with: result.camelot, bpm_near: result.bpm, limit: SHOWN };
  return (await earshot.request('listAnalyses', { query })).filter(({ id }) => id !== jobId);
}

/** How much faster or slower it is played to run with this song, half and double allowed. */
function shiftWords(bpm: number | null, own: number | null): string {
  if (bpm === null || own === null) return '';
  const ratios = [1, 0.5, 2].map((level) => own / (bpm * level) - 1);
  const nearest = ratios.reduce((best, ratio) => (Math.abs(ratio) < Math.abs(best) ? ratio : best));
  const percent = (Math.abs(nearest) * 100).toFixed(1);
  return Number(percent) === 0 ? 'the same tempo' : `${nearest > 0 ? '+' : '−'}${percent} % tempo`;
}

function MixableRow({ song, bpm }: { song: SongRow; bpm: number | null }) {
  const player = usePlayer();
  const { title } = songNames(song);
  const { headline } = song;
  return (
    <li>
      <button
        type="button"
        className="icon quiet"
        aria-label={`Play ${title}`}
        onClick={() => playSong(player, song)}
      >
        <Play size={15} />
      </button>
      <span className="song-names">
        <Link href={`/analyses/${song.id}`} className="song-link">
          <span className="song-title-line">{title}</span>
        </Link>
        <span className="soft small">{shiftWords(headline?.bpm ?? null, bpm)}</span>
      </span>
      <span>{headline?.bpm?.toFixed(1) ?? '–'}</span>
      <KeyChip notation={headline?.key_notation ?? null} camelot={headline?.camelot ?? null} />
    </li>
  );
}
