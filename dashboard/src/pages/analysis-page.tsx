import { useMemo, useRef } from 'react';
import { Link } from 'wouter';
import { earshot } from '../api.ts';
import { EXPORT_FORMATS } from '../export-formats.ts';
import { followJob } from '../follow-job.ts';
import { AnalysisView, type Playhead } from '../parts/analysis-view.tsx';
import { CorrectionCard } from '../parts/correction-card.tsx';
import { Headline } from '../parts/headline.tsx';
import { LoadedView } from '../parts/loaded-view.tsx';
import { ShareCard } from '../parts/share-card.tsx';
import { WhenSeen } from '../parts/when-seen.tsx';
import type { Result } from '../result.ts';
import { serviceSource } from '../song-source.ts';
import { useLoad } from '../use-load.ts';
import { useTitle } from '../use-title.ts';

export function AnalysisPage({ params }: { params: { jobId: string } }) {
  const { jobId } = params;
  const [answer, reload] = useLoad(() => loadFirstPiece(jobId), jobId);
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

/** The headline and the file: a few kilobytes of a song of any length. Waits for an analysis that still runs. */
async function loadFirstPiece(jobId: string) {
  const ask = () =>
    earshot.request('getAnalysisResult', { params: { job_id: jobId }, query: { groups: 'file' } });
  const first = await ask();
  if (first.status !== 'queued' && first.status !== 'processing') return first;
  await followJob(jobId, () => {}).catch(() => {});
  return ask();
}

function ResultView({ jobId, result }: { jobId: string; result: Result }) {
  const playhead = useRef<Playhead>({ seek: () => {}, seconds: () => 0 });
  const source = useMemo(() => serviceSource(jobId), [jobId]);
  const tags = (result.file?.tags ?? {}) as Record<string, string | null>;
  const title = tags.title ?? 'Untitled';
  useTitle(title);
  return (
    <>
      <div className="spread page-head">
        <h1>
          {title} {tags.artist && <span className="soft">· {tags.artist}</span>}
        </h1>
        <Link className="button" href={`/compare/${jobId}`}>
          Compare
        </Link>
      </div>
      <Headline result={result} />
      <AnalysisView source={source} playhead={playhead.current}>
        {(song) => (
          <WhenSeen>
            {() => (
              <>
                <CorrectionCard jobId={jobId} result={song} playhead={playhead.current} />
                <TakeAway jobId={jobId} />
                <ShareCard jobId={jobId} />
              </>
            )}
          </WhenSeen>
        )}
      </AnalysisView>
    </>
  );
}

function TakeAway({ jobId }: { jobId: string }) {
  return (
    <section className="card">
      <h2>Take it with you</h2>
      <p className="row">
        <a className="button main" href={`/v1/analyses/${jobId}/artifacts/report.html`}>
          Report (HTML)
        </a>
        <a className="button" href={`/v1/analyses/${jobId}/artifacts/report.pdf`}>
          Report (PDF)
        </a>
        {EXPORT_FORMATS.map(([format, name]) => (
          <a key={format} className="button" href={`/v1/analyses/${jobId}/exports/${format}`} download>
            {name}
          </a>
        ))}
      </p>
    </section>
  );
}
