import type { RequestOutput } from '@earshot/sdk';
import { useEffect, useState } from 'react';
import { listAll } from '../list-all.ts';
import { type Loaded, useLoad } from '../use-load.ts';

export type CrateSummary = RequestOutput<'listCollections'>[number];

const CHANGED_EVENT = 'earshot-crates-changed';

/** Reloads every list of crates on the page, after one was created, renamed or deleted. */
export function notifyCratesChanged(): void {
  window.dispatchEvent(new Event(CHANGED_EVENT));
}

export function useCrates(): [Loaded<CrateSummary[]>, reload: () => void] {
  const [changeCount, setChangeCount] = useState(0);
  useEffect(() => {
    const count = () => setChangeCount((value) => value + 1);
    window.addEventListener(CHANGED_EVENT, count);
    return () => window.removeEventListener(CHANGED_EVENT, count);
  }, []);
  return useLoad(() => listAll('listCollections'), `crates ${changeCount}`);
}
