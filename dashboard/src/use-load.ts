import { useCallback, useEffect, useState } from 'react';

export type Loaded<T> =
  | { state: 'loading' }
  | { state: 'failed'; error: Error }
  | { state: 'ready'; value: T };

/** Loads when `key` changes and on `reload`, showing the previous value meanwhile; a response that has been superseded is dropped. */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  key: string | object,
): [Loaded<T>, () => void] {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  const [reloadCount, setReloadCount] = useState(0);
  // Not on `load`, which is a new function on every render.
  useEffect(() => {
    const stop = new AbortController();
    load(stop.signal).then(
      (value) => !stop.signal.aborted && setLoaded({ state: 'ready', value }),
      (error: Error) => !stop.signal.aborted && setLoaded({ state: 'failed', error }),
    );
    return () => stop.abort();
  }, [key, reloadCount]);
  return [loaded, useCallback(() => setReloadCount((count) => count + 1), [])];
}
