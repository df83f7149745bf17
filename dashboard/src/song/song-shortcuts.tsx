import { countBegun } from '../music/item-at.ts';
import { useDeck, usePlayer } from '../playback/use-player.tsx';
import type { Result } from '../result.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useShortcuts } from '../ui/use-shortcuts.ts';
import { changeTempo, startBarHere } from './correct-song.ts';
import { loopHere } from './loop-here.ts';
import type { Song } from './use-song.ts';

const HELP: [keys: string, description: string][] = [
  ['Space', 'play and pause'],
  ['← →', 'previous and next beat; with Shift, bar'],
  ['[ ]', 'previous and next section'],
  ['l', 'loop this section'],
  ['+ −', 'zoom'],
  ['c', 'click on and off'],
  ['d', 'double the tempo; D halves it'],
  ['1', 'the beat under the playhead begins a bar'],
  ['Ctrl z', 'undo the last correction'],
  ['?', 'these shortcuts'],
];

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="key-help">
        {HELP.map(([keys, description]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </Dialog>
  );
}

/** Back, pressed this soon after a beat, goes to the beat before it, so that repeated presses move on during playback. Chosen by trial. */
const BACK_SECONDS = 0.15;
/** After a seek a browser may report a time slightly before the beat; forward must still leave that beat. Chosen by trial. */
const AHEAD_SECONDS = 0.02;

/** The previous or next of `timesSeconds`; before the first comes the start of the song, after the last one `nowSeconds` itself. */
export function stepFrom(timesSeconds: readonly number[], nowSeconds: number, by: 1 | -1): number {
  const fromSeconds = by === 1 ? nowSeconds + AHEAD_SECONDS : nowSeconds - BACK_SECONDS;
  const begun = countBegun(timesSeconds, fromSeconds, (seconds) => seconds);
  return by === 1 ? (timesSeconds[begun] ?? nowSeconds) : (timesSeconds[begun - 1] ?? 0);
}

export function useSongShortcuts(result: Result, song: Song | null, showHelp: () => void): void {
  const player = usePlayer();
  const deck = useDeck();
  const beats = result.rhythm?.beats ?? [];
  const stepBy = (by: 1 | -1, items: { time_seconds: number }[]) =>
    deck.seek(
      stepFrom(
        items.map(({ time_seconds }) => time_seconds),
        deck.seconds,
        by,
      ),
    );
  const downbeats = () => beats.filter(({ beat_in_bar }) => beat_in_bar === 1);
  const boundaries = () =>
    (result.structure?.sections ?? []).map(({ start_seconds }) => ({ time_seconds: start_seconds }));
  // Only the time line knows its zoom, so a key presses its button.
  const pressButton = (name: string) =>
    document.querySelector<HTMLButtonElement>(`.timeline button[aria-label="${name}"]`)?.click();
  useShortcuts({
    ' ': () => deck.toggle(),
    ArrowLeft: () => stepBy(-1, beats),
    ArrowRight: () => stepBy(1, beats),
    'Shift+ArrowLeft': () => stepBy(-1, downbeats()),
    'Shift+ArrowRight': () => stepBy(1, downbeats()),
    '[': () => stepBy(-1, boundaries()),
    ']': () => stepBy(1, boundaries()),
    l: () => deck.setLoop(deck.read().loop ? null : loopHere(result, deck.seconds)),
    '+': () => pressButton('Zoom in'),
    '=': () => pressButton('Zoom in'),
    '-': () => pressButton('Zoom out'),
    c: () => player.setClick(!player.read().clickOn),
    d: () => song && changeTempo(song, result, 2),
    D: () => song && changeTempo(song, result, 0.5),
    '1': () => song && deck.read().other === null && startBarHere(song, result, deck.seconds),
    'Ctrl+z': () => song?.undoLast(),
    '?': showHelp,
  });
}
