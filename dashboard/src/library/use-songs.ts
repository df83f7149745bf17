import type { RequestOutput } from '@earshot/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { earshot } from '../api.ts';
import type { LibraryQuery } from './search.ts';

export type SongRow = RequestOutput<'listAnalyses'>[number];

/** Half of the service's maximum: the first rows appear sooner, and scrolling loads the rest. */
const PAGE_SONGS = 100;

export type Songs = {
  rows: readonly SongRow[];
  total: number | null;
  /** Whether the rows belong to the current query rather than to the previous one. */
  current: boolean;
  problem: Error | null;
  /** Loads the next page, unless there is none or a request is running. */
  loadMore: () => void;
  reload: () => void;
};

/** The songs of a query, page by page as the user scrolls. A new query aborts the requests of the previous one. */
export function useSongs(query: LibraryQuery): Songs {
  const key = JSON.stringify(query);
  const [rows, setRows] = useState<readonly SongRow[]>([]);
  const [total, setTotal] = useState<number | null>(null);
  const [problem, setProblem] = useState<Error | null>(null);
  const [reloadCount, setReloadCount] = useState(0);
  const nextCursor = useRef<string | null>(null);
  const request = useRef<AbortController | null>(null);
  /** The query of the loaded rows, and how many there are. */
  const loaded = useRef({ key, count: 0 });
  const [loadedKey, setLoadedKey] = useState<string | null>(null);

  const load = useCallback(
    async (fromStart: boolean) => {
      request.current?.abort();
      const ownRequest = new AbortController();
      request.current = ownRequest;
      const fetchPage = (cursor: string | null) => {
        const parameters = { ...(JSON.parse(key) as LibraryQuery), limit: PAGE_SONGS };
        return earshot.page(
          'listAnalyses',
          cursor === null ? parameters : { ...parameters, after: cursor },
          ownRequest.signal,
        );
      };
      try {
        let page = await fetchPage(fromStart ? null : nextCursor.current);
        const items = [...page.items];
        // A reload fetches as many rows as before, so that the scroll position is kept.
        const wantedCount = fromStart && loaded.current.key === key ? loaded.current.count : 0;
        while (items.length < wantedCount && page.after !== null && !ownRequest.signal.aborted) {
          page = await fetchPage(page.after);
          items.push(...page.items);
        }
        if (ownRequest.signal.aborted) return;
        nextCursor.current = page.after;
        loaded.current = { key, count: items.length + (fromStart ? 0 : loaded.current.count) };
        setLoadedKey(key);
        setRows((previous) => (fromStart ? items : [...previous, ...items]));
        setTotal(page.total);
        setProblem(null);
      } catch (error) {
        if (ownRequest.signal.aborted) return;
        setProblem(error as Error);
      } finally {
        if (request.current === ownRequest) request.current = null;
      }
    },
    [key],
  );

  // `reloadCount` repeats the same query.
  useEffect(() => {
    nextCursor.current = null;
    void load(true);
    return () => request.current?.abort();
  }, [load, reloadCount]);

  const loadMore = useCallback(() => {
    if (request.current === null && nextCursor.current !== null) void load(false);
  }, [load]);
  const reload = useCallback(() => setReloadCount((value) => value + 1), []);
  return { rows, total, current: loadedKey === key, problem, loadMore, reload };
}
