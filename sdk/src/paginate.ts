import { OPERATION_TABLE } from './operation-table.generated.ts';
import type { OperationId, RequestInput, RequestOutput } from './request.ts';
import { type Call, readJson, type Transport } from './transport.ts';

/**
 * Name of an operation that lists items of the workspace: its answer is an array, and its path has no parameters.
 *
 * @example
 * ```ts
 * import { Earshot, type ListOperationId } from '@earshot/sdk';
 *
 * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
 * const lists: ListOperationId[] = ['listAnalyses', 'listWebhookDeliveries'];
 * for (const list of lists) {
 *   let count = 0;
 *   for await (const _ of earshot.iterate(list)) count += 1;
 *   console.log(list, count);
 * }
 * ```
 */
export type ListOperationId = {
  [Id in OperationId]: [RequestOutput<Id>, RequestInput<Id>['params']] extends [readonly unknown[], undefined]
    ? Id
    : never;
}[OperationId];

type Item<Id extends ListOperationId> = RequestOutput<Id> extends readonly (infer T)[] ? T : never;

/** Iterates any list of the API by the name of its operation. */
export function createIterate(call: Transport) {
  return <Id extends ListOperationId>(
    id: Id,
    query: NonNullable<RequestInput<Id>['query']> | Record<string, never> = {},
  ): AsyncGenerator<Item<Id>> => paginate(call, OPERATION_TABLE[id][1], query as Call['query']);
}

/**
 * One page of a list, for tables that load more rows on scrolling.
 *
 * @example
 * ```ts
 * import { Earshot, type Page } from '@earshot/sdk';
 *
 * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
 * const count = <T>({ items, total }: Page<T>) => `${items.length} of ${total ?? 'many'}`;
 * console.log(count(await earshot.page('listAnalyses', { limit: 20 })));
 * ```
 */
export type Page<T> = {
  items: T[];
  /** The cursor of the next page; null on the last page. */
  after: string | null;
  /** Items of the whole list; null if the service does not count it. */
  total: number | null;
};

/** Reads one page of any list of the API by the name of its operation. */
export function createPage(call: Transport) {
  return async <Id extends ListOperationId>(
    id: Id,
    query: NonNullable<RequestInput<Id>['query']> | Record<string, never> = {},
    signal?: AbortSignal,
  ): Promise<Page<Item<Id>>> => {
    const [, path] = OPERATION_TABLE[id];
    const response = await call({ method: 'GET', path, query: query as Call['query'], signal });
    const total = response.headers.get('x-total-count');
    return {
      items: await readJson<Item<Id>[]>(response),
      after: nextAfter(response.headers.get('link')),
      total: total === null ? null : Number(total),
    };
  };
}

/** Follows the `Link: <…>; rel="next"` headers of a list. */
export async function* paginate<T>(call: Transport, path: string, query: Call['query']): AsyncGenerator<T> {
  let page = query;
  for (;;) {
    const response = await call({ method: 'GET', path, query: page });
    yield* await readJson<T[]>(response);
    const after = nextAfter(response.headers.get('link'));
    if (after === null) return;
    page = { ...query, after };
  }
}

/** The cursor of the next page; null on the last page. */
export function nextAfter(link: string | null): string | null {
  const target = /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1];
  return target === undefined ? null : new URL(target, 'http://path.invalid').searchParams.get('after');
}
