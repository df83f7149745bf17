import { useSyncExternalStore } from 'react';

const NARROW = window.matchMedia('(max-width: 760px)');

/** Whether the page is as narrow as a phone; the style sheets have the same limit. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      NARROW.addEventListener('change', listener);
      return () => NARROW.removeEventListener('change', listener);
    },
    () => NARROW.matches,
  );
}
