import { useEffect, useRef, useState } from 'react';
import WaveSurfer from 'wavesurfer.js';
import { ClickTrack } from '../click-track.ts';
import { formatClock } from '../format.ts';
import { groupColour, itemAt, type Result } from '../result.ts';
import { loadMedia } from '../transport.ts';
import { showChord } from '../transpose.ts';
import { playableFile } from '../uploads.ts';

const ZOOM_STEPS = [0, 20, 60, 160];

type Props = { jobId: string; result: Result; onReady: (seek: (seconds: number) => void) => void };

/** Waveform with sections and beats, playback, click track, and the chord of the moment. */
export function Timeline({ jobId, result, onReady }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const surfer = useRef<WaveSurfer | null>(null);
  const clicks = useRef<ClickTrack | null>(null);
  const [playing, setPlaying] = useState(false);
  const [clicking, setClicking] = useState(false);
  const [silent, setSilent] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const [zoom, setZoom] = useState(0);
  const [semitones, setSemitones] = useState(0);
  const [roman, setRoman] = useState(false);
  const ready = useRef(onReady);
  ready.current = onReady;

  useEffect(() => {
    const level =
      result.waveform?.levels.find((candidate) => candidate.length <= 20_000) ??
      result.waveform?.levels.at(-1);
    const media = new Audio();
    const player = WaveSurfer.create({
      container: container.current!,
      media,
      peaks: level ? channelPeaks(level) : [[0]],
      duration: result.duration_seconds,
      height: 120,
      waveColor: '#7c8794',
      progressColor: '#2563eb',
      cursorColor: '#e8590c',
      dragToSeek: true,
      hideScrollbar: false,
      cspNonce: document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content,
    });
    surfer.current = player;
    makeScrollable(player);
    clicks.current = new ClickTrack(result.rhythm?.beats ?? [], media);
    player.on('play', () => setPlaying(true));
    player.on('pause', () => setPlaying(false));
    player.on('timeupdate', setSeconds);
    player.on('seeking', setSeconds);
    let url: string | null = null;
    void loadMedia(jobId, playableFile(jobId), result.duration_seconds).then((loaded) => {
      url = loaded.url;
      media.src = loaded.url;
      setSilent(loaded.silent);
    });
    ready.current((time) => player.setTime(time));
    return () => {
      clicks.current?.close();
      player.destroy();
      if (url) URL.revokeObjectURL(url);
    };
  }, [jobId, result]);

  const zoomTo = (step: number) => {
    setZoom(step);
    surfer.current?.zoom(ZOOM_STEPS[step]!);
  };
  const toggleClicks = () => {
    const track = clicks.current;
    if (track?.running) track.stop();
    else track?.start();
    setClicking(track?.running ?? false);
  };
  const chord = itemAt(result.tonal?.chords ?? [], seconds, (item) => item.start_seconds);
  const beat = itemAt(result.rhythm?.beats ?? [], seconds, (item) => item.time_seconds);
  const section = itemAt(result.structure?.sections ?? [], seconds, (item) => item.start_seconds);

  return (
    <section className="card" aria-label="Player">
      <SectionBar result={result} onSeek={(time) => surfer.current?.setTime(time)} />
      <div ref={container} data-testid="waveform" />
      <BeatGrid result={result} />
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
        <span className="spread">
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
      {result.tonal && result.tonal.chords.length > 0 && (
        <div className="row">
          <output className="chord-now" aria-label="Chord">
            {chord ? (roman ? (chord.roman ?? '–') : showChord(chord.label, semitones)) : '–'}
          </output>
          <label>
            Transpose
            <select value={semitones} onChange={(event) => setSemitones(Number(event.target.value))}>
              {Array.from({ length: 12 }, (_, index) => index - 5).map((step) => (
                <option key={step} value={step}>
                  {step > 0 ? `+${step}` : step}
                </option>
              ))}
            </select>
          </label>
          <label>
            <span>
              <input type="checkbox" checked={roman} onChange={(event) => setRoman(event.target.checked)} />{' '}
              Roman numerals
            </span>
          </label>
        </div>
      )}
    </section>
  );
}

/** The zoomed waveform scrolls by keyboard too. */
function makeScrollable(player: WaveSurfer): void {
  const scroll = player.getWrapper().parentElement;
  if (!scroll) return;
  scroll.tabIndex = 0;
  scroll.setAttribute('role', 'region');
  scroll.setAttribute('aria-label', 'Waveform');
}

function channelPeaks(level: { data: number[]; channels: number; length: number }): number[][] {
  const peaks = new Array<number>(level.length * 2);
  for (let pixel = 0; pixel < level.length; pixel++) {
    let [low, high] = [0, 0];
    for (let channel = 0; channel < level.channels; channel++) {
      low = Math.min(low, level.data[2 * (pixel * level.channels + channel)]!);
      high = Math.max(high, level.data[2 * (pixel * level.channels + channel) + 1]!);
    }
    peaks[2 * pixel] = low / 128;
    peaks[2 * pixel + 1] = high / 128;
  }
  return [peaks];
}

function SectionBar({ result, onSeek }: { result: Result; onSeek: (seconds: number) => void }) {
  const sections = result.structure?.sections ?? [];
  return (
    <div className="sections">
      {sections.map((section) => (
        <button
          key={section.start_seconds}
          type="button"
          title={`${section.label}, ${formatClock(section.start_seconds)}`}
          style={{
            flexGrow: section.end_seconds - section.start_seconds,
            borderColor: groupColour(section.group),
            color: groupColour(section.group),
          }}
          onClick={() => onSeek(section.start_seconds)}
        >
          {section.group} <span className="section-label">{section.label}</span>
        </button>
      ))}
    </div>
  );
}

/** Beats as hairlines and downbeats as lines, drawn once: thousands of elements would be slow. */
function BeatGrid({ result }: { result: Result }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current!;
    const draw = () => {
      element.width = element.clientWidth * devicePixelRatio;
      element.height = element.clientHeight * devicePixelRatio;
      const pen = element.getContext('2d')!;
      for (const beat of result.rhythm?.beats ?? []) {
        const downbeat = beat.beat_in_bar === 1;
        pen.fillStyle = downbeat ? '#e8590c' : '#7c8794';
        pen.globalAlpha = 0.35 + 0.65 * beat.confidence;
        const height = element.height * (downbeat ? 1 : 0.5);
        pen.fillRect(
          (beat.time_seconds / result.duration_seconds) * element.width,
          element.height - height,
          devicePixelRatio,
          height,
        );
      }
    };
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => observer.disconnect();
  }, [result]);
  return (
    <canvas
      ref={canvas}
      className="beat-grid"
      role="img"
      aria-label={`${result.rhythm?.beats.length ?? 0} beats, downbeats in orange`}
    />
  );
}
