import { lazy, type ReactNode, Suspense, useRef } from 'react';
import { formatPercent } from '../format.ts';
import type { Result } from '../result.ts';
import type { SongSource } from '../song-source.ts';
import { useLoad } from '../use-load.ts';
import { CamelotWheel } from './camelot-wheel.tsx';
import { LoadedView } from './loaded-view.tsx';
import { Loading } from './loading.tsx';
import { Timeline } from './timeline.tsx';
import { WhenSeen } from './when-seen.tsx';

const Plots = lazy(async () => ({ default: (await import('./plots.tsx')).Plots }));

/** What moves the player from elsewhere on the page, and tells where it stands. */
export type Playhead = { seek: (seconds: number) => void; seconds: () => number };

/** One song to look at and listen to: player, key, tempo, curves and quality, each loaded when it is needed. */
export function AnalysisView(props: {
  source: SongSource;
  playhead?: Playhead;
  /** Further cards, when the song is there. */
  children?: (result: Result) => ReactNode;
}) {
  const { source, playhead, children } = props;
  const own = useRef<Playhead>({ seek: () => {}, seconds: () => 0 });
  const head = playhead ?? own.current;
  const [song, reload] = useLoad(
    () => source.loadGroups('rhythm', 'tonal', 'structure', 'waveform'),
    source.key,
  );
  return (
    <LoadedView loaded={song} reload={reload}>
      {(result) => (
        <>
          <Timeline source={source} result={result} playhead={head} />
          <div className="columns">
            <KeyCard result={result} />
            <TempoCard result={result} />
          </div>
          <WhenSeen>
            {() => (
              <Suspense fallback={<Loading />}>
                <Plots source={source} result={result} onSeek={(seconds) => head.seek(seconds)} />
              </Suspense>
            )}
          </WhenSeen>
          {children?.(result)}
        </>
      )}
    </LoadedView>
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

/** Closer than this, an alternative is the estimate again. */
const SAME_TEMPO = 0.01;
/** Less likely than this is not worth a line. */
const WEIGHT_MIN = 0.005;

function TempoCard({ result }: { result: Result }) {
  if (!result.rhythm) return null;
  const { alternatives, stability, swing } = result.rhythm;
  const others = alternatives.filter(({ bpm }) => Math.abs(bpm / (result.bpm ?? 0) - 1) > SAME_TEMPO);
  return (
    <section className="card">
      <h2>Tempo</h2>
      <p className="large">{result.bpm === null ? 'No steady pulse' : `${result.bpm.toFixed(2)} BPM`}</p>
      {others.length > 0 && <p className="soft">It could also be</p>}
      <Alternatives items={others.map((item) => [`${item.bpm.toFixed(1)} BPM`, item.weight])} />
      {stability !== null && <p className="soft">Stability {formatPercent(stability)}</p>}
      {swing && <p className="soft">Swing {formatPercent(swing.ratio)} of the beat</p>}
    </section>
  );
}

/** What else it could be, and how likely. */
function Alternatives({ items }: { items: [string, number][] }) {
  return (
    <ul className="plain">
      {items
        .filter(([, weight]) => weight >= WEIGHT_MIN)
        .slice(0, 4)
        .map(([name, weight]) => (
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
