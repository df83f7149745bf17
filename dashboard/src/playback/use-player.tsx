import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { Player, type PlayerState } from './player.ts';

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

const TOLD_EVERY_MS = 100;

/** Where the playhead is, as often as words need it while it moves; a drawing asks the player. */
export function useSeconds(): number {
  const player = usePlayer();
  const { playing } = usePlayerState();
  const [seconds, setSeconds] = useState(player.seconds);
  useEffect(() => {
    const update = () => setSeconds(player.seconds);
    update();
    const leave = player.subscribe(update);
    const timer = playing ? setInterval(update, TOLD_EVERY_MS) : undefined;
    return () => {
      leave();
      clearInterval(timer);
    };
  }, [player, playing]);
  return seconds;
}
