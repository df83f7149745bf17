import type { Result } from '../result.ts';
import type { SongSource } from '../song-source.ts';
import { useLoad } from '../use-load.ts';
import { Curve } from './curve.tsx';
import { LoadedView } from './loaded-view.tsx';

type Props = { source: SongSource; result: Result; onSeek: (seconds: number) => void };

/** What is below the first screen: curves, pictures, quality. A chunk of its own, with data of its own. */
export function Plots({ source, result, onSeek }: Props) {
  const [sound, reload] = useLoad(() => source.loadGroups('loudness', 'quality'), source.key);
  const { pictureUrl } = source;
  return (
    <>
      <Curve
        title="Tempo"
        unit="BPM"
        durationSeconds={result.duration_seconds}
        spanMin={8}
        points={(result.rhythm?.tempo_curve ?? []).map((point) => [point.time_seconds, point.bpm])}
      />
      <LoadedView loaded={sound} reload={reload}>
        {(loaded) => (
          <>
            <LoudnessCurve result={loaded} />
            <QualityCard result={loaded} onSeek={onSeek} />
          </>
        )}
      </LoadedView>
      {pictureUrl &&
        (['spectrogram', 'chromagram'] as const).map((name) => (
          <figure key={name} className="card">
            <figcaption className="capital">{name}</figcaption>
            <img className="heatmap" loading="lazy" src={pictureUrl(name)} alt={`${name} of the song`} />
          </figure>
        ))}
    </>
  );
}

export function LoudnessCurve({ result, title = 'Loudness' }: { result: Result; title?: string }) {
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

/** More would be a wall of buttons, and the export has them all. */
const EVENTS_SHOWN_MAX = 40;
/** One hears what comes before a click, too. */
const RUN_UP_SECONDS = 0.5;

function QualityCard({ result, onSeek }: { result: Result; onSeek: (seconds: number) => void }) {
  const { quality } = result;
  if (!quality) return null;
  const { events, bandwidth_hz, lossy_transcode } = quality;
  return (
    <section className="card">
      <h2>Quality</h2>
      {events.length === 0 && <p>No clipping, clicks, dropouts or long silences.</p>}
      <ul className="plain row">
        {events.slice(0, EVENTS_SHOWN_MAX).map((event) => (
          <li key={`${event.kind}${event.start_seconds}${event.channel}`}>
            <button type="button" onClick={() => onSeek(Math.max(0, event.start_seconds - RUN_UP_SECONDS))}>
              {event.kind} at {event.start_seconds.toFixed(2)} s
            </button>
          </li>
        ))}
      </ul>
      {events.length > EVENTS_SHOWN_MAX && (
        <p className="soft">and {events.length - EVENTS_SHOWN_MAX} more</p>
      )}
      <p className="soft">
        Bandwidth {bandwidth_hz === null ? '–' : `${(bandwidth_hz / 1000).toFixed(1)} kHz`} · lossy transcode{' '}
        {lossy_transcode.verdict}
      </p>
    </section>
  );
}
