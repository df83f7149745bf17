import { lazy, Suspense, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { analyseDemo, loadSample, SAMPLE } from '../demo.ts';
import { Brand } from '../parts/brand.tsx';
import { FilePicker } from '../parts/file-picker.tsx';
import { Headline } from '../parts/headline.tsx';
import { LoadedView } from '../parts/loaded-view.tsx';
import { Loading } from '../parts/loading.tsx';
import { Problem } from '../parts/problem.tsx';
import type { Result } from '../result.ts';
import { readySource } from '../song-source.ts';
import { useDropAnywhere } from '../use-drop-anywhere.ts';
import { useLoad } from '../use-load.ts';

const AnalysisView = lazy(async () => ({
  default: (await import('../parts/analysis-view.tsx')).AnalysisView,
}));

type Song = { name: string; result: Result; audio: File | string };
type Progress = { name: string; stage: string; fraction: number };

/** The first visit: a sample song with what we hear in it, and room for one's own, without an account. */
export function LandingPage() {
  const [sample, reload] = useLoad(loadSample, 'sample');
  const [own, setOwn] = useState<Song | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [over, setOver] = useState(false);

  const hear = async ([file]: File[]) => {
    if (!file || progress) return;
    setProblem(null);
    try {
      const result = await analyseDemo(file, (stage, fraction) =>
        setProgress({ name: file.name, stage, fraction }),
      );
      setOwn({ name: file.name, result, audio: file });
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setProgress(null);
    }
  };
  const take = (files: Iterable<File>) => void hear([...files]);
  useDropAnywhere(setOver, take);

  return (
    <>
      <header className="top spread">
        <Brand />
        <nav aria-label="Main" className="row">
          <a href="/docs">Documentation</a>
          <Link className="button main" href="/sign-in">
            Sign in
          </Link>
        </nav>
      </header>
      <main className="landing">
        <h1>Drop a song. See its tempo, key, chords and form.</h1>
        <p className="lead">
          Every number comes with how sure we are of it, and with a click track to judge it by ear.
        </p>
        <section className="card" aria-label="Your own song">
          <div className="drop" data-over={over}>
            <p>Drop one of your own here, no account needed, or</p>
            <FilePicker onFiles={take} multiple={false} />
            <p className="soft">20 MB and ten minutes at most. The audio is deleted when we have heard it.</p>
          </div>
          {progress && (
            <div className="upload" role="status">
              <span className="spread">
                <span>{progress.name}</span>
                <span className="soft">{progress.stage}</span>
              </span>
              <progress
                max={1}
                value={progress.fraction}
                aria-label={`${progress.name}: ${progress.stage}`}
              />
            </div>
          )}
          <Problem text={problem} />
        </section>
        {own ? (
          <SongView song={own} />
        ) : (
          <LoadedView loaded={sample} reload={reload}>
            {(result) => (
              <SongView song={{ name: 'A sample: Two Doors Down', result, audio: SAMPLE.audio }} />
            )}
          </LoadedView>
        )}
      </main>
    </>
  );
}

function SongView({ song }: { song: Song }) {
  const source = useMemo(() => readySource(song.name, song.result, song.audio), [song.name, song.result]);
  return (
    <>
      <h2 className="song-name">{song.name}</h2>
      <Headline result={song.result} />
      <Suspense fallback={<Loading />}>
        <AnalysisView source={source} />
      </Suspense>
    </>
  );
}
