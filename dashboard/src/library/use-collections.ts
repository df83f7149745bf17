import type { RequestOutput } from '@earshot/sdk';
import { useEffect, useState } from 'react';
import { listAll } from '../list-all.ts';
import { type Loaded, useLoad } from '../use-load.ts';

export type CollectionSummary = RequestOutput<'listCollections'>[number];

const CHANGED = 'earshot-collections-changed';

/** Tells every list of collections on the page that one was made, renamed or deleted. */
export function notifyCollectionsChanged(): void {
  window.dispatchEvent(new Event(CHANGED));
}

export function useCollections(): [Loaded<CollectionSummary[]>, reload: () => void] {
  const [round, setRound] = useState(0);
  useEffect(() => {
    const again = () => setRound((value) => value + 1);
    window.addEventListener(CHANGED, again);
    return () => window.removeEventListener(CHANGED, again);
  }, []);
  return useLoad(() => listAll('listCollections'), `collections ${round}`);
}
