import type { ListOperationId, RequestInput, RequestOutput } from '@earshot/sdk';
import { earshot } from './api.ts';

const PAGE_SIZE = 100;

/** All of a list that a person keeps short: keys, endpoints, crates. */
export async function listAll<Id extends ListOperationId>(id: Id): Promise<RequestOutput<Id>[number][]> {
  const items: RequestOutput<Id>[number][] = [];
  for await (const item of earshot.iterate(id, { limit: PAGE_SIZE } as NonNullable<
    RequestInput<Id>['query']
  >))
    items.push(item as RequestOutput<Id>[number]);
  return items;
}
