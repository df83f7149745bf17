import type { RequestOutput } from '@earshot/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { earshot } from '../api.ts';
import type { LibraryQuery } from './search.ts';

export type SongRow = RequestOutput<'listAnalyses'>[number];

/** What is in sight comes soon, and one who scrolls asks for more: half of what the service would give. */
const PAGE_SONGS = 100;

export type Songs = {
  rows: readonly SongRow[];
  total: number | null;
  /** The rows answer what is asked now, not what was asked before. */
  current: boolean;
  state: 'loading' | 'ready' | 'failed';
  problem: Error | null;
  /** Asks for the next page, when there is one and it is not on its way. */
  more: () => void;
  reload: () => void;
};

/** The library by pages, as far as one has scrolled; a new question drops the answers to the old one. */
export function useSongs(query: LibraryQuery): Songs {
  const key = JSON.stringify(query);
  const [rows, setRows] = useState<readonly SongRow[]>([]);
  const [total, setTotal] = useState<number | null>(null);
  const [state, setState] = useState<Songs['state']>('loading');
  const [problem, setProblem] = useState<Error | null>(null);
  const [round, setRound] = useState(0);
  const after = useRef<string | null>(null);
  const asking = useRef<AbortController | null>(null);
  /** What the rows answer, and how many there are. */
  const shown = useRef({ key, count: 0 });
  const [answered, setAnswered] = useState<string | null>(null);

  const load = useCallback(
    async (fromStart: boolean) => {
      asking.current?.abort();
      const mine = new AbortController();
      asking.current = mine;
      const ask = (cursor: string | null) => {
        const asked = { ...(JSON.parse(key) as LibraryQuery), limit: PAGE_SONGS };
        return earshot.page(
          'listAnalyses',
          cursor === null ? asked : { ...asked, after: cursor },
          mine.signal,
        );
      };
      try {
        let page = await ask(fromStart ? null : after.current);
        const items = [...page.items];
        // The same question again keeps the list as long as it was, or one who has scrolled would be thrown back.
        const wanted = fromStart && shown.current.key === key ? shown.current.count : 0;
        while (items.length < wanted && page.after !== null && !mine.signal.aborted) {
          page = await ask(page.after);
          items.push(...page.items);
        }
        if (mine.signal.aborted) return;
        after.current = page.after;
        shown.current = { key, count: items.length + (fromStart ? 0 : shown.current.count) };
        setAnswered(key);
        setRows((known) => (fromStart ? items : [...known, ...items]));
        setTotal(page.total);
        setState('ready');
        setProblem(null);
      } catch (error) {
        if (mine.signal.aborted) return;
        setState('failed');
        setProblem(error as Error);
      } finally {
        if (asking.current === mine) asking.current = null;
      }
    },
    [key],
  );

  // `round` asks the same question again.
  useEffect(() => {
    after.current = null;
    void load(true);
    return () => asking.current?.abort();
  }, [load, round]);

  const more = useCallback(() => {
    if (asking.current === null && after.current !== null) void load(false);
  }, [load]);
  const reload = useCallback(() => setRound((value) => value + 1), []);
  return { rows, total, current: answered === key, state, problem, more, reload };
}
