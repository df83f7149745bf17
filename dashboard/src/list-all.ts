import type { ListOperationId, RequestInput, RequestOutput } from '@earshot/sdk';
import { earshot } from './api.ts';
import { PAGE_ITEMS_MAX } from './service-limits.ts';

/** All of a list that a person keeps short: keys, endpoints, crates. */
export async function listAll<Id extends ListOperationId>(id: Id): Promise<RequestOutput<Id>[number][]> {
  const items: RequestOutput<Id>[number][] = [];
  for await (const item of earshot.iterate(id, { limit: PAGE_ITEMS_MAX } as NonNullable<
    RequestInput<Id>['query']
  >))
    items.push(item as RequestOutput<Id>[number]);
  return items;
}

/** The same for a list inside of its answer, or of one thing among others. */
export async function readAllPages<T extends { id: string }>(
  read: (query: { limit: number; after: string | undefined }) => Promise<T[]>,
): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const page = await read({ limit: PAGE_ITEMS_MAX, after: items.at(-1)?.id });
    items.push(...page);
    if (page.length < PAGE_ITEMS_MAX) return items;
  }
}
