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

/** The song of what is inside. */
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
  usePlayerState();
  return useDeck().read();
}

const TOLD_EVERY_MS = 100;

/** Where the playhead of the player or of a deck is, as often as words need it while it moves; a drawing asks for itself. */
export function useSeconds(of: Player | Deck): number {
  const { playing } = usePlayerState();
  const [seconds, setSeconds] = useState(of.seconds);
  useEffect(() => {
    const update = () => setSeconds(of.seconds);
    update();
    const leave = of.subscribe(update);
    const timer = playing ? setInterval(update, TOLD_EVERY_MS) : undefined;
    return () => {
      leave();
      clearInterval(timer);
    };
  }, [of, playing]);
  return seconds;
}
