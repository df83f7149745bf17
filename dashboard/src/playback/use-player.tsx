import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { Deck, type DeckState } from './deck.ts';
import { Player, type PlayerState, type Track } from './player.ts';

const PlayerContext = createContext<Player | null>(null);

export function PlayerProvider({ children }: { children: ReactNode }) {
  const [player] = useState(() => new Player());
  useEffect(() => () => player.pause(), [player]);
  return <PlayerContext value={player}>{children}</PlayerContext>;
}

export function usePlayer(): Player {
  const player = useContext(PlayerContext);
  if (!player) throw new Error('usePlayer outside of PlayerProvider');
  return player;
}

export function usePlayerState(): PlayerState {
  const player = usePlayer();
  return useSyncExternalStore(player.subscribe, player.read);
}

const DeckContext = createContext<Deck | null>(null);

/** Makes `track` the song that `useDeck` controls inside. */
export function DeckProvider({ track, children }: { track: Track; children: ReactNode }) {
  const player = usePlayer();
  const deck = useMemo(() => new Deck(player, track), [player, track]);
  return <DeckContext value={deck}>{children}</DeckContext>;
}

export function useDeck(): Deck {
  const deck = useContext(DeckContext);
  if (!deck) throw new Error('useDeck outside of DeckProvider');
  return deck;
}

export function useDeckState(): DeckState {
  // Renders again when the player changes.
  usePlayerState();
  return useDeck().read();
}

/** Often enough for times and bar numbers as text. */
const UPDATE_MS = 100;

/** The position of the player or a deck, updated often enough for text. A canvas reads `seconds` on every frame instead. */
export function useSeconds(source: Player | Deck): number {
  const { playing } = usePlayerState();
  const [seconds, setSeconds] = useState(source.seconds);
  useEffect(() => {
    const update = () => setSeconds(source.seconds);
    update();
    const unsubscribe = source.subscribe(update);
    const timer = playing ? setInterval(update, UPDATE_MS) : undefined;
    return () => {
      unsubscribe();
      clearInterval(timer);
    };
  }, [source, playing]);
  return seconds;
}
