import { countBegun } from '../music/item-at.ts';
import { useDeck, usePlayer } from '../playback/use-player.tsx';
import type { Result } from '../result.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useShortcuts } from '../ui/use-shortcuts.ts';
import { changeTempo, startBarHere } from './correct-song.ts';
import { loopHere } from './loop-here.ts';
import type { Song } from './use-song.ts';

const WORDS: [keys: string, words: string][] = [
  ['Space', 'play and pause'],
  ['← →', 'beat back and forth; with Shift, a bar'],
  ['[ ]', 'section before and after'],
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
        {WORDS.map(([keys, words]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
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

/** A press soon after a beat goes to the one before it, not back to itself. Chosen by hand, as the next. */
const BACK_SECONDS = 0.15;
/** A browser may stand a little before the beat it was sent to: a press there goes to the next one, not to itself. */
const AHEAD_SECONDS = 0.02;

/** The time before or after `nowSeconds`; before the first is the start of the song, and after the last one stays. */
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
  // The time line alone knows what it shows: a key is a press on its button.
  const press = (name: string) =>
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
    '+': () => press('Zoom in'),
    '=': () => press('Zoom in'),
    '-': () => press('Zoom out'),
    c: () => player.setClick(!player.read().clickOn),
    d: () => song && changeTempo(song, result, 2),
    D: () => song && changeTempo(song, result, 0.5),
    '1': () => song && deck.read().other === null && startBarHere(song, result, deck.seconds),
    'Ctrl+z': () => song?.undoLast(),
    '?': showHelp,
  });
}
