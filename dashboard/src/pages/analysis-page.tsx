import { useRef } from 'react';
import { earshot } from '../api.ts';
import { formatClock, formatPercent } from '../format.ts';
import { CamelotWheel } from '../parts/camelot-wheel.tsx';
import { Curve } from '../parts/curve.tsx';
import { LoadedView } from '../parts/loaded-view.tsx';
import { Timeline } from '../parts/timeline.tsx';
import type { Result } from '../result.ts';
import { followJob } from '../uploads.ts';
import { useLoad } from '../use-load.ts';

const EXPORT_FORMATS = [
  'jams',
  'audacity',
  'lab-beats',
  'lab-chords',
  'lab-sections',
  'midi',
  'rekordbox-xml',
  'csv',
  'audiowaveform-json',
  'audiowaveform-dat',
  'spotify-audio-analysis',
  'spotify-audio-features',
] as const;

export function AnalysisPage({ params }: { params: { jobId: string } }) {
  const { jobId } = params;
  const [answer, reload] = useLoad(async () => {
    const first = await earshot.request('getAnalysisResult', { params: { job_id: jobId } });
    if (first.status !== 'queued' && first.status !== 'processing') return first;
    await followJob(jobId, () => {}).catch(() => {});
    return earshot.request('getAnalysisResult', { params: { job_id: jobId } });
  }, jobId);
  return (
    <LoadedView loaded={answer} reload={reload}>
      {({ result, error, status }) =>
        result ? (
          <ResultView jobId={jobId} result={result} />
        ) : (
          <p className="page-state" role="alert">
            This analysis is {status}. {error?.message}
          </p>
        )
      }
    </LoadedView>
  );
}

function ResultView({ jobId, result }: { jobId: string; result: Result }) {
  const seek = useRef<(seconds: number) => void>(() => {});
  const tags = (result.file?.tags ?? {}) as Record<string, string | null>;
  return (
    <>
      <h1>
        {tags.title ?? 'Untitled'} {tags.artist && <span className="soft">· {tags.artist}</span>}
      </h1>
      <Headline result={result} />
      <Timeline
        jobId={jobId}
        result={result}
        onReady={(jump) => {
          seek.current = jump;
        }}
      />
      <div className="columns">
        <KeyCard result={result} />
        <TempoCard result={result} />
      </div>
      <Curve
        title="Tempo"
        unit="BPM"
        durationSeconds={result.duration_seconds}
        spanMin={8}
        points={(result.rhythm?.tempo_curve ?? []).map((point) => [point.time_seconds, point.bpm])}
      />
      <LoudnessCurve result={result} />
      <Heatmaps jobId={jobId} />
      <QualityCard result={result} onSeek={(seconds) => seek.current(seconds)} />
      <section className="card">
        <h2>Take it with you</h2>
        <p className="row">
          <a className="button main" href={`/v1/analyses/${jobId}/artifacts/report.html`}>
            Report (HTML)
          </a>
          <a className="button" href={`/v1/analyses/${jobId}/artifacts/report.pdf`}>
            Report (PDF)
          </a>
          {EXPORT_FORMATS.map((format) => (
            <a key={format} className="button" href={`/v1/analyses/${jobId}/exports/${format}`} download>
              {format}
            </a>
          ))}
        </p>
      </section>
    </>
  );
}

function Headline({ result }: { result: Result }) {
  const sure = (confidence: number | null) =>
    confidence === null ? '' : `${formatPercent(confidence)} sure`;
  const tiles = [
    ['Tempo', result.bpm === null ? '–' : `${result.bpm.toFixed(2)} BPM`, sure(result.bpm_confidence)],
    [
      'Key',
      result.key_notation ?? '–',
      [result.camelot, sure(result.key_confidence)].filter(Boolean).join(', '),
    ],
    ['Meter', result.time_signature === null ? '–' : `${result.time_signature}/4`, ''],
    ['Loudness', result.loudness_lufs === null ? '–' : `${result.loudness_lufs.toFixed(1)} LUFS`, ''],
    ['True peak', result.true_peak_dbtp === null ? '–' : `${result.true_peak_dbtp.toFixed(1)} dBTP`, ''],
    ['Length', formatClock(result.duration_seconds), ''],
  ] as const;
  return (
    <dl className="numbers">
      {tiles.map(([label, value, note]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value}
            <small>{note}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function KeyCard({ result }: { result: Result }) {
  if (!result.camelot || !result.tonal) return null;
  return (
    <section className="card">
      <h2>Key</h2>
      <CamelotWheel camelot={result.camelot} />
      <Alternatives
        items={result.tonal.alternatives.map((item) => [`${item.key} ${item.scale}`, item.weight])}
      />
      {result.tonal.tuning_hz && <p className="soft">Tuned to {result.tonal.tuning_hz.toFixed(1)} Hz</p>}
    </section>
  );
}

function TempoCard({ result }: { result: Result }) {
  if (!result.rhythm) return null;
  const { alternatives, stability, swing } = result.rhythm;
  return (
    <section className="card">
      <h2>Tempo</h2>
      <Alternatives items={alternatives.map((item) => [`${item.bpm.toFixed(1)} BPM`, item.weight])} />
      {stability !== null && <p className="soft">Stability {formatPercent(stability)}</p>}
      {swing && <p className="soft">Swing {formatPercent(swing.ratio)} of the beat</p>}
    </section>
  );
}

/** What else it could be, and how likely. */
function Alternatives({ items }: { items: [string, number][] }) {
  return (
    <ul className="plain">
      {items.slice(0, 4).map(([name, weight]) => (
        <li key={name} className="alternative">
          <span className="spread">
            <span>{name}</span>
            <span className="soft">{formatPercent(weight)}</span>
          </span>
          <meter min={0} max={1} value={weight} aria-label={name} />
        </li>
      ))}
    </ul>
  );
}

function LoudnessCurve({ result }: { result: Result }) {
  const curve = result.loudness?.short_term;
  if (!curve) return null;
  const points = curve.values.flatMap((value, index) =>
    value === null || value < -70 ? [] : [[curve.start_seconds + index * curve.hop_seconds, value] as const],
  );
  return (
    <Curve
      title="Loudness"
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

function Heatmaps({ jobId }: { jobId: string }) {
  return (
    <>
      {(['spectrogram', 'chromagram'] as const).map((name) => (
        <figure key={name} className="card">
          <figcaption style={{ textTransform: 'capitalize' }}>{name}</figcaption>
          <img
            className="heatmap"
            loading="lazy"
            src={`/v1/analyses/${jobId}/artifacts/${name}.png`}
            alt={`${name} of the song`}
          />
        </figure>
      ))}
    </>
  );
}

function QualityCard({ result, onSeek }: { result: Result; onSeek: (seconds: number) => void }) {
  const { quality } = result;
  if (!quality) return null;
  return (
    <section className="card">
      <h2>Quality</h2>
      {quality.events.length === 0 && <p>No clipping, clicks, dropouts or long silences.</p>}
      <ul className="plain row">
        {quality.events.slice(0, 40).map((event) => (
          <li key={`${event.kind}${event.start_seconds}${event.channel}`}>
            <button type="button" onClick={() => onSeek(Math.max(0, event.start_seconds - 0.5))}>
              {event.kind} at {event.start_seconds.toFixed(2)} s
            </button>
          </li>
        ))}
      </ul>
      <p className="soft">
        Bandwidth {quality.bandwidth_hz === null ? '–' : `${(quality.bandwidth_hz / 1000).toFixed(1)} kHz`} ·
        lossy transcode {quality.lossy_transcode.verdict}
      </p>
    </section>
  );
}
