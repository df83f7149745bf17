import { useCallback, useEffect, useState } from 'react';

export type Loaded<T> =
  | { state: 'loading' }
  | { state: 'failed'; error: Error }
  | { state: 'ready'; value: T };

/** Loads when `key` is another value or object, and on `reload`; an answer that comes after the next question is dropped. */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  key: string | object,
): [Loaded<T>, () => void] {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: 'loading' });
  const [round, setRound] = useState(0);
  // `load` is a new function on every render; `key` says when it asks something new.
  useEffect(() => {
    const stop = new AbortController();
    load(stop.signal).then(
      (value) => !stop.signal.aborted && setLoaded({ state: 'ready', value }),
      (error: Error) => !stop.signal.aborted && setLoaded({ state: 'failed', error }),
    );
    return () => stop.abort();
  }, [key, round]);
  return [loaded, useCallback(() => setRound((value) => value + 1), [])];
}
