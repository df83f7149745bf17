import { useEffect, useRef, useState } from 'react';
import type WaveSurfer from 'wavesurfer.js';
import { ClickTrack } from '../click-track.ts';
import { formatClock } from '../format.ts';
import { createPlayer } from '../player.ts';
import { itemAt, type Result } from '../result.ts';
import type { SongSource } from '../song-source.ts';
import type { Playhead } from './analysis-view.tsx';
import { BeatGrid, type View } from './beat-grid.tsx';
import { ChordStrip } from './chord-strip.tsx';
import { SectionBar } from './section-bar.tsx';

/** In pixels for each second; 0 shows the whole song. */
const ZOOM_STEPS = [0, 20, 60, 160];

type Props = { source: SongSource; result: Result; playhead: Playhead };

/** Waveform with sections and beats, playback, click track, and the chord of the moment. */
export function Timeline({ source, result, playhead }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const surfer = useRef<WaveSurfer | null>(null);
  const clicks = useRef<ClickTrack | null>(null);
  const [playing, setPlaying] = useState(false);
  const [clicking, setClicking] = useState(false);
  const [silent, setSilent] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const [zoom, setZoom] = useState(0);
  const whole: View = { startSeconds: 0, endSeconds: result.duration_seconds };
  const [view, setView] = useState<View>(whole);

  useEffect(() => {
    const media = new Audio();
    const player = createPlayer(container.current!, media, result);
    surfer.current = player;
    clicks.current = new ClickTrack(result.rhythm?.beats ?? [], media);
    player.on('play', () => setPlaying(true));
    player.on('pause', () => setPlaying(false));
    player.on('timeupdate', setSeconds);
    player.on('seeking', setSeconds);
    player.on('scroll', (startSeconds, endSeconds) => setView({ startSeconds, endSeconds }));
    playhead.seek = (time) => player.setTime(time);
    playhead.seconds = () => player.getCurrentTime();
    let url: string | null = null;
    let closed = false;
    source.loadMedia(result.duration_seconds).then(
      (loaded) => {
        if (closed) return URL.revokeObjectURL(loaded.url);
        url = loaded.url;
        media.src = loaded.url;
        setSilent(loaded.silent);
      },
      () => setSilent(true),
    );
    return () => {
      closed = true;
      clicks.current?.close();
      player.destroy();
      if (url) URL.revokeObjectURL(url);
    };
  }, [source.key, result]);

  const zoomTo = (step: number) => {
    setZoom(step);
    surfer.current?.zoom(ZOOM_STEPS[step]!);
    if (step === 0) setView(whole);
  };
  const toggleClicks = () => {
    const track = clicks.current;
    if (track?.running) track.stop();
    else track?.start();
    setClicking(track?.running ?? false);
  };
  const beat = itemAt(result.rhythm?.beats ?? [], seconds, (item) => item.time_seconds);
  const section = itemAt(result.structure?.sections ?? [], seconds, (item) => item.start_seconds);

  return (
    <section className="card" aria-label="Player">
      <SectionBar result={result} onSeek={(time) => surfer.current?.setTime(time)} />
      <div ref={container} data-testid="waveform" />
      <BeatGrid result={result} view={view} />
      <div className="row player">
        <button
          type="button"
          className="main"
          aria-pressed={playing}
          onClick={() => void surfer.current?.playPause()}
        >
          {playing ? 'Pause' : 'Play'}
        </button>
        <button
          type="button"
          aria-pressed={clicking}
          onClick={toggleClicks}
          disabled={!result.rhythm?.beats.length}
        >
          Click track {clicking ? 'on' : 'off'}
        </button>
        <span className="zoom">
          <button type="button" aria-label="Zoom out" disabled={zoom === 0} onClick={() => zoomTo(zoom - 1)}>
            −
          </button>
          <button
            type="button"
            aria-label="Zoom in"
            disabled={zoom === ZOOM_STEPS.length - 1}
            onClick={() => zoomTo(zoom + 1)}
          >
            +
          </button>
        </span>
        <output className="soft">
          {formatClock(seconds)} / {formatClock(result.duration_seconds)}
          {beat && ` · bar ${beat.bar + 1}, beat ${beat.beat_in_bar}`}
          {section && ` · ${section.label}`}
        </output>
        {silent && <span className="soft">The audio is no longer stored: the click track plays alone.</span>}
      </div>
      <ChordStrip result={result} seconds={seconds} />
    </section>
  );
}
