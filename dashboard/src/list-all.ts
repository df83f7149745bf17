import type { ListOperationId, RequestInput, RequestOutput } from '@earshot/sdk';
import { earshot } from './api.ts';
import { PAGE_ITEMS_MAX } from './service-limits.ts';

/** Every item of a list that stays short because people add to it by hand: keys, endpoints, crates. */
export async function listAll<Id extends ListOperationId>(id: Id): Promise<RequestOutput<Id>[number][]> {
  const items: RequestOutput<Id>[number][] = [];
  for await (const item of earshot.iterate(id, { limit: PAGE_ITEMS_MAX } as NonNullable<
    RequestInput<Id>['query']
  >))
    items.push(item as RequestOutput<Id>[number]);
  return items;
}

/** The same for lists that `iterate` cannot read: nested in a response, or needing path parameters. */
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
