import * as Tabs from '@radix-ui/react-tabs';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { transposeFifths } from '../music/spelling.ts';
import { usePlayer } from '../playback/use-player.tsx';
import { indexAt, type Result } from '../result.ts';
import { useMay } from '../session.tsx';
import type { LaneName } from '../timeline/lanes.ts';
import { Timeline, type TimelineEdit } from '../timeline/timeline.tsx';
import { Boundary } from '../ui/boundary.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loading } from '../ui/loading.tsx';
import { Menu, MenuCheck, MenuItem } from '../ui/menu.tsx';
import { moveBeat, moveBoundary, revert, sectionsOf, startBarAt } from './corrections.ts';
import { changeTempo, Facts } from './facts.tsx';
import { loopHere, Transport } from './transport.tsx';
import { useShortcuts } from './use-shortcuts.ts';
import type { Song } from './use-song.ts';

const Overview = lazy(async () => ({ default: (await import('./overview-tab.tsx')).OverviewTab }));
const Chords = lazy(async () => ({ default: (await import('./chords-tab.tsx')).ChordsTab }));
const Mastering = lazy(async () => ({ default: (await import('./mastering-tab.tsx')).MasteringTab }));
const Mix = lazy(async () => ({ default: (await import('./mix-tab.tsx')).MixTab }));
const Data = lazy(async () => ({ default: (await import('./data-tab.tsx')).DataTab }));
const Share = lazy(async () => ({ default: (await import('./share-tab.tsx')).ShareTab }));

export type RoomProps = {
  trackId: string;
  result: Result;
  /** Null for the sample and the demo, which nobody can correct or share. */
  song: Song | null;
  jobId: string | null;
  pictureUrl: ((name: 'spectrogram' | 'chromagram') => string) | null;
};

const LANE_WORDS: [LaneName, string][] = [
  ['sections', 'Sections'],
  ['chords', 'Chords'],
  ['keys', 'Key changes'],
  ['voice', 'Voice'],
  ['tempo', 'Tempo'],
  ['loudness', 'Loudness'],
  ['spectrogram', 'Spectrogram'],
  ['chromagram', 'Chromagram'],
];
const FIRST_LANES: LaneName[] = ['ruler', 'sections', 'waveform', 'chords', 'keys', 'voice', 'loudness'];

/** Numbers, transport, time line and tabs of one song. */
export function SongRoom({ trackId, result, song, jobId, pictureUrl }: RoomProps) {
  const player = usePlayer();
  const [lanes, setLanes] = useState<ReadonlySet<LaneName>>(() => new Set(FIRST_LANES));
  const [semitones, setSemitones] = useState(0);
  const [help, setHelp] = useState(false);
  useEffect(() => player.setBeats(trackId, result.rhythm?.beats ?? []), [player, trackId, result]);
  /** Null for those who may look only. */
  const editor = useMay('member') ? song : null;
  useSongShortcuts(result, editor, () => setHelp(true));
  const toggleLane = (name: LaneName, on: boolean) =>
    setLanes((now) => new Set(on ? [...now, name] : [...now].filter((lane) => lane !== name)));
  const edit = (change: TimelineEdit) => editor && applyEdit(editor, result, change);

  return (
    <div className="stack">
      <Facts result={result} song={editor} />
      <Transport result={result} semitones={semitones} />
      <div className="song-deck">
        <Timeline
          result={result}
          chordFifths={transposeFifths(result.key_notation, semitones)}
          lanes={lanes}
          pictureUrl={pictureUrl}
          onEdit={editor ? edit : undefined}
          onTooCoarse={song?.loadFinestWaveform}
        />
        <div className="spread deck-foot">
          {editor && <OneHere result={result} song={editor} />}
          {editor && editor.correction.kinds.length > 0 && <CorrectionsMenu song={editor} />}
          <span className="soft small with-keyboard">
            Ctrl + wheel zooms, dragging loops, <kbd>?</kbd> shows all keys
          </span>
          <Menu trigger="Lanes" className="quiet">
            {LANE_WORDS.filter(([name]) => pictureUrl || !/gram$/.test(name)).map(([name, words]) => (
              <MenuCheck key={name} checked={lanes.has(name)} onChange={(on) => toggleLane(name, on)}>
                {words}
              </MenuCheck>
            ))}
          </Menu>
        </div>
      </div>
      <SongTabs
        tabs={[
          ['Overview', <Overview key="overview" result={result} song={editor} />],
          [
            'Chords',
            <Chords
              key="chords"
              result={result}
              song={editor}
              jobId={jobId}
              semitones={semitones}
              onTranspose={setSemitones}
            />,
          ],
          ['Mastering', <Mastering key="mastering" result={result} jobId={jobId} />],
          ...(jobId
            ? ([
                ['Mix', <Mix key="mix" result={result} jobId={jobId} />],
                ['Data', <Data key="data" jobId={jobId} />],
                ...(editor ? [['Share', <Share key="share" jobId={jobId} />]] : []),
              ] as [string, ReactNode][])
            : []),
        ]}
      />
      {help && <KeyHelp onClose={() => setHelp(false)} />}
    </div>
  );
}

function SongTabs({ tabs }: { tabs: [string, ReactNode][] }) {
  return (
    <Tabs.Root defaultValue={tabs[0]?.[0]} className="tabs">
      <Tabs.List className="tab-list no-print" aria-label="Song">
        {tabs.map(([name]) => (
          <Tabs.Trigger key={name} value={name} className="tab">
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tabs.map(([name, content]) => (
        <Tabs.Content key={name} value={name} className="tab-content">
          <Boundary place={name}>
            <Suspense fallback={<Loading />}>{content}</Suspense>
          </Boundary>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

/** "This is the one": the beat under the playhead begins a bar. */
function OneHere({ result, song }: { result: Result; song: Song }) {
  const player = usePlayer();
  const beatCount = result.rhythm?.beats.length ?? 0;
  return (
    <button
      type="button"
      disabled={beatCount === 0 || song.busy}
      onClick={() => startBarHere(song, result, player.seconds)}
    >
      This is the one
    </button>
  );
}

/** The way back to what was heard, when the toast with its own is long gone. What somebody noted is no correction, and stays. */
function CorrectionsMenu({ song }: { song: Song }) {
  const { kinds } = song.correction;
  return (
    <Menu trigger="Corrections" className="quiet corrections">
      {kinds.map((kind) => (
        <MenuItem
          key={kind}
          disabled={song.busy}
          onSelect={() => song.correct((body) => revert(body, kind), `Reverted: ${kind} as heard.`)}
        >
          Revert {kind} to what was heard
        </MenuItem>
      ))}
      {kinds.length > 1 && (
        <MenuItem
          disabled={song.busy}
          onSelect={() => song.correct(({ note }) => ({ note }), 'Reverted: all as heard.')}
        >
          Revert all to what was heard
        </MenuItem>
      )}
    </Menu>
  );
}

/** A press comes a little before the beat that is meant. */
const EARLY_SECONDS = 0.05;

function startBarHere(song: Song, result: Result, seconds: number): void {
  const beats = result.rhythm?.beats ?? [];
  const beat =
    beats[
      Math.max(
        0,
        indexAt(beats, seconds + EARLY_SECONDS, (item) => item.time_seconds),
      )
    ];
  if (beat) song.correct((body) => startBarAt(body, beat.time_seconds), 'Bars counted from this beat.');
}

function applyEdit(song: Song, result: Result, change: TimelineEdit): void {
  const { fromSeconds, toSeconds } = change;
  if (change.kind === 'move beat') {
    song.correct((body) => moveBeat(body, fromSeconds, toSeconds), 'Beat moved.');
    return;
  }
  const sections = moveBoundary(sectionsOf(result), fromSeconds, toSeconds);
  if (sections) song.correct((body) => ({ ...body, sections }), 'Boundary moved.');
}

const KEYS: [string, string][] = [
  ['Space', 'play and pause'],
  ['← →', 'beat back and forth; with Shift, a bar'],
  ['[ ]', 'section before and after'],
  ['l', 'loop this section'],
  ['+ −', 'zoom'],
  ['c', 'click on and off'],
  ['d', 'double the tempo; D halves it'],
  ['1', 'the beat under the playhead begins a bar'],
  ['Ctrl z', 'undo the last correction'],
  ['?', 'these keys'],
];

function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="key-help">
        {KEYS.map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </Dialog>
  );
}

function useSongShortcuts(result: Result, song: Song | null, showHelp: () => void): void {
  const player = usePlayer();
  const beats = result.rhythm?.beats ?? [];
  const sections = result.structure?.sections ?? [];
  const step = (times: readonly number[], by: 1 | -1) => {
    const now = player.seconds;
    // A press soon after a beat goes to the one before it, not back to itself.
    const place = indexAt(times, by === 1 ? now + 0.02 : now - 0.15, (time) => time);
    player.seek(times[by === 1 ? place + 1 : place] ?? (by === 1 ? now : 0));
  };
  const beatTimes = () => beats.map(({ time_seconds }) => time_seconds);
  const barTimes = () =>
    beats.filter(({ beat_in_bar }) => beat_in_bar === 1).map(({ time_seconds }) => time_seconds);
  const sectionTimes = () => sections.map(({ start_seconds }) => start_seconds);
  const press = (name: string) =>
    document.querySelector<HTMLButtonElement>(`.timeline button[aria-label="${name}"]`)?.click();
  useShortcuts({
    ' ': () => player.toggle(),
    ArrowLeft: () => step(beatTimes(), -1),
    ArrowRight: () => step(beatTimes(), 1),
    'Shift+ArrowLeft': () => step(barTimes(), -1),
    'Shift+ArrowRight': () => step(barTimes(), 1),
    '[': () => step(sectionTimes(), -1),
    ']': () => step(sectionTimes(), 1),
    l: () => player.setLoop(player.read().loop ? null : loopHere(result, player.seconds)),
    '+': () => press('Zoom in'),
    '=': () => press('Zoom in'),
    '-': () => press('Zoom out'),
    c: () => player.setClick(!player.read().clickOn),
    d: () => song && changeTempo(song, result, 2),
    D: () => song && changeTempo(song, result, 0.5),
    '1': () => song && startBarHere(song, result, player.seconds),
    'Ctrl+z': () => song?.undoLast(),
    '?': showHelp,
  });
}
