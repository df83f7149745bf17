import { AudioLines, Disc3, Guitar, type LucideIcon, SlidersVertical, SquareTerminal } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { PlayerBar } from '../playback/player-bar.tsx';
import { usePlayer } from '../playback/use-player.tsx';
import { Boundary } from '../ui/boundary.tsx';
import { Brand } from '../ui/brand.tsx';
import { FilePicker } from '../ui/file-picker.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Loading } from '../ui/loading.tsx';
import { Problem } from '../ui/problem.tsx';
import { useDropAnywhere } from '../uploads/use-drop-anywhere.ts';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { analyseDemo, type Demo, loadSample, restoreDemo, SAMPLE } from './demo.ts';

const SongView = lazy(async () => ({ default: (await import('../song/song-view.tsx')).SongView }));

type DemoSong = Demo & { audio: File | string | null };
type Progress = { name: string; stage: string; fraction: number };

const USES: [icon: LucideIcon, title: string, text: string][] = [
  [
    Disc3,
    'For DJs',
    'Tempo, key and Camelot, what mixes next, crates ordered by harmony, rekordbox and Traktor.',
  ],
  [
    Guitar,
    'For musicians',
    'Loop a section at 70 % with its click, transpose for a capo, print the lead sheet.',
  ],
  [
    SlidersVertical,
    'For engineers',
    'Loudness by BS.1770, true peak, what each service will do, faults to click on.',
  ],
  [
    SquareTerminal,
    'For developers',
    'One call in, JSON out: REST, webhooks, SDKs, a command line, MCP. Yours to host.',
  ],
];

/** For visitors without an account: the analysed sample song, and a demo for a song of their own. */
export function LandingPage() {
  const [sample, reload] = useLoad(loadSample, 'sample');
  const { ownSong, progress, problem, analyse } = useDemo();
  const [isDragging, setDragging] = useState(false);
  useDropAnywhere(setDragging, analyse);
  return (
    <>
      <header className="front-head">
        <Brand />
        <nav aria-label="Main" className="row">
          <a className="button quiet" href="/docs">
            Documentation
          </a>
          <Link className="button main" href="/sign-in">
            Sign in
          </Link>
        </nav>
      </header>
      <main className="front">
        <section className="front-hero">
          <h1>Drop a song. See its tempo, key, chords and form.</h1>
          <p className="lead">
            Every number comes with how sure we are of it, and with a click track to judge it by ear.
          </p>
          <div className="row">
            <FilePicker onFiles={analyse}>Analyse your own song</FilePicker>
            <span className="soft small">
              or drop one here; no account needed. 20 MB and ten minutes at most, and the audio is deleted
              after the analysis.
            </span>
          </div>
          {progress && <DemoProgress progress={progress} />}
          <Problem text={problem} />
        </section>
        {ownSong ? (
          <SongPreview key={ownSong.id} song={ownSong} />
        ) : (
          <LoadedView loaded={sample} reload={reload}>
            {(result) => (
              <SongPreview song={{ id: 'sample', name: SAMPLE.title, result, audio: SAMPLE.audio }} />
            )}
          </LoadedView>
        )}
        <Uses />
        <p className="soft front-foot">
          <AudioLines size={16} aria-hidden="true" /> Open source, Apache-2.0. Runs on your own machine with
          one command.
        </p>
      </main>
      <PlayerBar />
      {isDragging && <div className="drop-veil">Drop a song to analyse it</div>}
    </>
  );
}

/** The visitor's own song: the one of the last demo after a reload, replaced by each song analysed since. */
function useDemo() {
  const [ownSong, setOwnSong] = useState<DemoSong | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const { problem, run } = useAction();
  useEffect(
    () => void restoreDemo().then((song) => song && setOwnSong((own) => own ?? { ...song, audio: null })),
    [],
  );
  const analyse = ([file]: File[]) => {
    if (!file) return;
    const { name } = file;
    void run(async () => {
      const song = await analyseDemo(file, (stage, fraction) => setProgress({ name, stage, fraction }));
      setOwnSong({ ...song, audio: file });
    }).finally(() => setProgress(null));
  };
  return { ownSong, progress, problem, analyse };
}

function DemoProgress({ progress: { name, stage, fraction } }: { progress: Progress }) {
  return (
    <div className="card" role="status">
      <p className="spread">
        <span>{name}</span>
        <span className="soft">{stage}</span>
      </p>
      <progress max={1} value={fraction} aria-label={`${name}: ${stage}`} />
    </div>
  );
}

function Uses() {
  return (
    <section className="uses" aria-label="What it is for">
      {USES.map(([Icon, title, text]) => (
        <div key={title} className="card">
          <Icon size={20} aria-hidden="true" />
          <h2>{title}</h2>
          <p className="soft">{text}</p>
        </div>
      ))}
    </section>
  );
}

function SongPreview({ song }: { song: DemoSong }) {
  const player = usePlayer();
  const { id, name, result, audio } = song;
  const track = useMemo(
    () => ({
      id,
      title: name,
      artist: null,
      durationSeconds: result.duration_seconds,
      audio,
      href: null,
    }),
    [id, name, result, audio],
  );
  useEffect(() => player.load(track), [player, track]);
  return (
    <section className="front-song" aria-label={name}>
      <h2 className="song-name">{name}</h2>
      <Boundary place={id}>
        <Suspense fallback={<Loading />}>
          <SongView track={track} result={result} song={null} jobId={null} pictureUrl={null} />
        </Suspense>
      </Boundary>
    </section>
  );
}
