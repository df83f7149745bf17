import type { ListOperationId, RequestInput, RequestOutput } from '@earshot/sdk';
import { useState } from 'react';
import { earshot } from './api.ts';
import { PAGE_ITEMS_MAX } from './service-limits.ts';
import { type Loaded, useLoad } from './use-load.ts';

type Item<Id extends ListOperationId> = RequestOutput<Id>[number];
type Query<Id extends ListOperationId> = NonNullable<RequestInput<Id>['query']>;

type LogPages<T> = {
  items: T[];
  /** Null when there is nothing older. */
  showOlder: (() => void) | null;
};

/** A log, newest first, read page by page. A reload reads every shown page again, because new entries shift them. */
export function useLog<Id extends ListOperationId>(id: Id): [Loaded<LogPages<Item<Id>>>, reload: () => void] {
  const [pageCount, setPageCount] = useState(1);
  return useLoad(async (signal) => {
    const items: Item<Id>[] = [];
    let after: string | null = null;
    for (let page = 0; page < pageCount; page++) {
      const query = { limit: PAGE_ITEMS_MAX, ...(after !== null && { after }) } as Query<Id>;
      const read = await earshot.page(id, query, signal);
      items.push(...(read.items as Item<Id>[]));
      after = read.after;
      if (after === null) break;
    }
    return { items, showOlder: after === null ? null : () => setPageCount(pageCount + 1) };
  }, `${id} ${pageCount}`);
}
