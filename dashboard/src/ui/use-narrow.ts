import { useSyncExternalStore } from 'react';

const NARROW = window.matchMedia('(max-width: 760px)');

/** Whether this is a phone, as the style sheets count it. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      NARROW.addEventListener('change', listener);
      return () => NARROW.removeEventListener('change', listener);
    },
    () => NARROW.matches,
  );
}
