import { Pause, Play, Repeat } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { formatClock, formatPercent } from '../format.ts';
import { SILENT_REASONS } from './player.ts';
import { usePlayer, usePlayerState, useSeconds } from './use-player.tsx';

/**
 * The current song, at the bottom of every page. On its own page (`player-at-home`) the transport is shown instead, and the bar appears
 * only on a phone, once the transport has scrolled out of view.
 */
export function PlayerBar() {
  const player = usePlayer();
  const { track, playing, silent, loop, speedRatio } = usePlayerState();
  const seconds = useSeconds(player);
  const [location] = useLocation();
  if (!track) return null;
  const atHome = track.href === null || track.href === location;
  return (
    <section className={atHome ? 'player-bar player-at-home' : 'player-bar'} aria-label="Player">
      <div className="song-name">
        {track.href ? (
          <Link href={track.href} dir="auto">
            {track.title}
          </Link>
        ) : (
          <span dir="auto">{track.title}</span>
        )}
        <span className="soft small">
          {silent ? `${SILENT_REASONS[silent]}: click only` : (track.artist ?? '')}
        </span>
      </div>
      <div className="player-middle">
        <button
          type="button"
          className="main play"
          aria-label={playing ? 'Pause' : 'Play'}
          onClick={() => player.toggle()}
        >
          {playing ? <Pause size={18} /> : <Play size={18} />}
        </button>
        <time className="small soft beyond-phone">{formatClock(seconds)}</time>
        <input
          type="range"
          className="beyond-phone"
          aria-label="Position"
          min={0}
          max={track.durationSeconds}
          step={0.1}
          value={seconds}
          aria-valuetext={`${formatClock(seconds)} of ${formatClock(track.durationSeconds)}`}
          onChange={(event) => player.seek(Number(event.target.value))}
        />
        <time className="small soft beyond-phone">{formatClock(track.durationSeconds)}</time>
      </div>
      <div className="player-end beyond-phone">
        {speedRatio !== 1 && <span className="chip">{formatPercent(speedRatio)}</span>}
        {loop && (
          <button type="button" className="quiet" onClick={() => player.setLoop(null)}>
            <Repeat size={16} /> {formatClock(loop.startSeconds)}–{formatClock(loop.endSeconds)}
          </button>
        )}
      </div>
    </section>
  );
}
