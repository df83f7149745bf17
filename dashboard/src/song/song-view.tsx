import * as Tabs from '@radix-ui/react-tabs';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { transposeFifths } from '../music/spelling.ts';
import type { Track } from '../playback/player.ts';
import { DeckProvider, useDeck, useDeckState, usePlayer } from '../playback/use-player.tsx';
import type { Result } from '../result.ts';
import { useHasRole } from '../session.tsx';
import type { LaneName } from '../timeline/lanes.ts';
import type { PictureName } from '../timeline/picture-lanes.ts';
import { Timeline, type TimelineEdit } from '../timeline/timeline.tsx';
import { Boundary } from '../ui/boundary.tsx';
import { Loading } from '../ui/loading.tsx';
import { Menu, MenuCheck, MenuItem } from '../ui/menu.tsx';
import { applyEdit, startBarHere } from './correct-song.ts';
import { revert } from './corrections.ts';
import { Facts } from './facts.tsx';
import { ShortcutHelp, useSongShortcuts } from './song-shortcuts.tsx';
import { Transport } from './transport.tsx';
import type { Song } from './use-song.ts';

const Overview = lazy(async () => ({ default: (await import('./overview-tab.tsx')).OverviewTab }));
const Chords = lazy(async () => ({ default: (await import('./chords-tab.tsx')).ChordsTab }));
const Mastering = lazy(async () => ({ default: (await import('./mastering-tab.tsx')).MasteringTab }));
const Mix = lazy(async () => ({ default: (await import('./mix-tab.tsx')).MixTab }));
const Data = lazy(async () => ({ default: (await import('./data-tab.tsx')).DataTab }));
const Share = lazy(async () => ({ default: (await import('./share-tab.tsx')).ShareTab }));

type SongViewProps = {
  track: Track;
  result: Result;
  /** Null for the sample and the demo, which cannot be corrected or shared. */
  song: Song | null;
  jobId: string | null;
  pictureUrl: ((name: PictureName) => string) | null;
};

const LANE_LABELS: [LaneName, string][] = [
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

/** The facts, transport, time line and tabs of one song. */
export function SongView(props: SongViewProps) {
  return (
    <DeckProvider track={props.track}>
      <DeckView {...props} />
    </DeckProvider>
  );
}

function DeckView({ track, result, song, jobId, pictureUrl }: SongViewProps) {
  const player = usePlayer();
  const [lanes, setLanes] = useState<ReadonlySet<LaneName>>(() => new Set(FIRST_LANES));
  const [semitones, setSemitones] = useState(0);
  const [helpOpen, setHelpOpen] = useState(false);
  useEffect(() => player.setBeats(track.id, result.rhythm?.beats ?? []), [player, track.id, result]);
  /** Null for viewers, who may not correct. */
  const editor = useHasRole('member') ? song : null;
  useSongShortcuts(result, editor, () => setHelpOpen(true));
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
          {editor && <StartBarButton result={result} song={editor} />}
          {editor && editor.correction.kinds.length > 0 && <CorrectionsMenu song={editor} />}
          <span className="soft small with-keyboard">
            Ctrl + wheel zooms, dragging loops, <kbd>?</kbd> shows all shortcuts
          </span>
          <Menu trigger="Lanes" className="quiet">
            {LANE_LABELS.filter(([name]) => pictureUrl || !/gram$/.test(name)).map(([name, label]) => (
              <MenuCheck key={name} checked={lanes.has(name)} onChange={(on) => toggleLane(name, on)}>
                {label}
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
      {helpOpen && <ShortcutHelp onClose={() => setHelpOpen(false)} />}
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

function StartBarButton({ result, song }: { result: Result; song: Song }) {
  const deck = useDeck();
  const { other } = useDeckState();
  const beatCount = result.rhythm?.beats.length ?? 0;
  return (
    <button
      type="button"
      disabled={beatCount === 0 || song.busy || other !== null}
      onClick={() => startBarHere(song, result, deck.seconds)}
    >
      This is the one
    </button>
  );
}

/** Reverts corrections at any time later, when no toast offers to undo them. A note is not a correction, and stays. */
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
