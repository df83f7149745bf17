import type { RequestOutput } from '@earshot/sdk';
import { useEffect, useState } from 'react';
import { listAll } from '../list-all.ts';
import { type Loaded, useLoad } from '../use-load.ts';

export type CollectionSummary = RequestOutput<'listCollections'>[number];

const CHANGED_EVENT = 'earshot-collections-changed';

/** Reloads every list of collections on the page, after one was created, renamed or deleted. */
export function notifyCollectionsChanged(): void {
  window.dispatchEvent(new Event(CHANGED_EVENT));
}

export function useCollections(): [Loaded<CollectionSummary[]>, reload: () => void] {
  const [changeCount, setChangeCount] = useState(0);
  useEffect(() => {
    const count = () => setChangeCount((value) => value + 1);
    window.addEventListener(CHANGED_EVENT, count);
    return () => window.removeEventListener(CHANGED_EVENT, count);
  }, []);
  return useLoad(() => listAll('listCollections'), `collections ${changeCount}`);
}
