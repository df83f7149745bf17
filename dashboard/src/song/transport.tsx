import { Pause, Play, Repeat, SkipBack } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { formatClock, formatPercent } from '../format.ts';
import { showChord } from '../music/chords.ts';
import { itemAt } from '../music/item-at.ts';
import { transposeFifths } from '../music/spelling.ts';
import { SILENT_REASONS, SPEED_RATIO_MAX, SPEED_RATIO_MIN } from '../playback/player.ts';
import { useDeck, useDeckState, usePlayer, usePlayerState, useSeconds } from '../playback/use-player.tsx';
import { type Result, shownChords } from '../result.ts';
import { loopHere } from './loop-here.ts';

/** Play, speed, loop and click for the song of this page, with the current time, bar and chord. */
export function Transport({ result, semitones }: { result: Result; semitones: number }) {
  const deck = useDeck();
  const { playing } = useDeckState();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    const root = document.documentElement;
    const observer = new IntersectionObserver(([entry]) =>
      root.toggleAttribute('data-transport-in-sight', entry?.isIntersecting),
    );
    observer.observe(section.current!);
    return () => {
      observer.disconnect();
      root.removeAttribute('data-transport-in-sight');
    };
  }, []);
  return (
    <section ref={section} className="transport" aria-label="Transport">
      <div className="row">
        <button type="button" className="icon quiet" aria-label="To the start" onClick={() => deck.seek(0)}>
          <SkipBack size={17} />
        </button>
        <button
          type="button"
          className="main play"
          aria-label={playing ? 'Pause' : 'Play'}
          aria-keyshortcuts="Space"
          onClick={() => deck.toggle()}
        >
          {playing ? <Pause size={18} /> : <Play size={18} />}
        </button>
        <Place result={result} semitones={semitones} />
      </div>
      <Tools result={result} />
    </section>
  );
}

function Tools({ result }: { result: Result }) {
  const player = usePlayer();
  const deck = useDeck();
  const { speedRatio, clickOn, clickVolume, countIn } = usePlayerState();
  const { loop, silent, other } = useDeckState();
  const hasBeats = (result.rhythm?.beats.length ?? 0) > 0;
  return (
    <div className="row transport-tools">
      <label className="inline">
        Speed
        <input
          type="range"
          min={SPEED_RATIO_MIN * 100}
          max={SPEED_RATIO_MAX * 100}
          step={5}
          value={Math.round(speedRatio * 100)}
          aria-valuetext={`${Math.round(speedRatio * 100)} per cent`}
          onChange={(event) => player.setSpeed(Number(event.target.value) / 100)}
        />
        <output>{formatPercent(speedRatio)}</output>
      </label>
      <button
        type="button"
        aria-pressed={clickOn}
        disabled={!hasBeats}
        onClick={() => player.setClick(!clickOn)}
      >
        Click
      </button>
      {clickOn && (
        <label className="inline">
          <span className="visually-hidden">Level of the click</span>
          <input
            type="range"
            min={0}
            max={100}
            value={Math.round(clickVolume * 100)}
            onChange={(event) => player.setClick(true, Number(event.target.value) / 100)}
          />
        </label>
      )}
      <button
        type="button"
        aria-pressed={countIn}
        disabled={!hasBeats}
        onClick={() => player.setCountIn(!countIn)}
      >
        Count-in
      </button>
      <button
        type="button"
        aria-pressed={loop !== null}
        onClick={() => deck.setLoop(loop ? null : loopHere(result, deck.seconds))}
      >
        <Repeat size={15} />
        {loop ? `${formatClock(loop.startSeconds)}–${formatClock(loop.endSeconds)}` : 'Loop'}
      </button>
      {other && (
        <span className="soft small">{other.title} is in the player. Play returns to this song.</span>
      )}
      {silent && <span className="soft small">{SILENT_REASONS[silent]}: the click plays alone.</span>}
      {silent === 'not_loaded' && (
        <button type="button" onClick={() => player.loadAgain()}>
          Try again
        </button>
      )}
    </div>
  );
}

function Place({ result, semitones }: { result: Result; semitones: number }) {
  const seconds = useSeconds(useDeck());
  const beat = itemAt(result.rhythm?.beats ?? [], seconds, (item) => item.time_seconds);
  const section = itemAt(result.structure?.sections ?? [], seconds, (item) => item.start_seconds);
  const chords = useMemo(() => shownChords(result), [result]);
  const chord = itemAt(chords, seconds, (item) => item.start_seconds);
  const fifths = transposeFifths(result.key_notation, semitones);
  // Not live regions: a screen reader would read them out on every beat.
  return (
    <div className="place">
      <output className="place-time" aria-label="Time" aria-live="off">
        {formatClock(seconds)} <span className="soft">/ {formatClock(result.duration_seconds)}</span>
      </output>
      <output className="place-bar" aria-label="Bar and beat" aria-live="off">
        {[beat && `bar ${beat.bar + 1}, beat ${beat.beat_in_bar}`, section?.label]
          .filter(Boolean)
          .join(' · ')}
      </output>
      <output className="chord-now" aria-label="Chord" aria-live="off">
        {chord && chord.label !== 'N' ? showChord(chord.label, fifths) : ''}
      </output>
    </div>
  );
}
