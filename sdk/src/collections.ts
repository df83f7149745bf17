import { paginate } from './paginate.ts';
import { readJson, sendOnly, type Transport } from './transport.ts';
import type { Operations } from './wire-types.generated.ts';

/**
 * A collection with its songs in order.
 *
 * @example
 * ```ts
 * import { type Collection, Earshot } from '@earshot/sdk';
 *
 * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
 * const print = ({ name, items }: Collection) => console.log(name, items.map((item) => item.title));
 * print(await earshot.collections.create({ name: 'Friday, first hour' }));
 * ```
 */
export type Collection = Operations['getCollection']['response'];

type CollectionFormat = Operations['exportCollection']['query']['format'];
type Summary = Operations['listCollections']['response'][number];
type Order = Operations['proposeCollectionOrder']['response'];

export function createCollections(call: Transport) {
  return {
    async create(input: Operations['createCollection']['body']): Promise<Collection> {
      const idempotencyKey = crypto.randomUUID();
      return readJson(await call({ method: 'POST', path: '/v1/collections', json: input, idempotencyKey }));
    },

    async get(id: string): Promise<Collection> {
      return readJson(await call({ method: 'GET', path: pathOf(id) }));
    },

    /** Newest first, page by page as you go. */
    list(): AsyncGenerator<Summary> {
      return paginate(call, '/v1/collections', {});
    },

    async update(id: string, change: Operations['updateCollection']['body']): Promise<Collection> {
      return readJson(await call({ method: 'PATCH', path: pathOf(id), json: change }));
    },

    async delete(id: string): Promise<void> {
      await sendOnly(call, { method: 'DELETE', path: pathOf(id) });
    },

    /** At the end; a song that is there already stays where it is. */
    async add(id: string, jobIds: readonly string[]): Promise<Collection> {
      // Safe to repeat: adding twice is adding once.
      const idempotencyKey = crypto.randomUUID();
      const json = { items: jobIds };
      return readJson(await call({ method: 'POST', path: `${pathOf(id)}/items`, json, idempotencyKey }));
    },

    /**
     * The whole list. `version` is that of the collection you have seen: when somebody has changed it since, the call fails
     * with `precondition_failed` and nothing is lost.
     *
     * @example
     * ```ts
     * import { Earshot } from '@earshot/sdk';
     *
     * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
     * const { id } = await earshot.collections.create({ name: 'Friday' });
     * const { steps } = await earshot.collections.order(id, 'harmonic');
     * const seen = await earshot.collections.get(id);
     * await earshot.collections.replaceItems(id, steps.map((step) => step.job_id), seen.version);
     * ```
     */
    async replaceItems(id: string, jobIds: readonly string[], version: number): Promise<Collection> {
      const headers = { 'if-match': `"${version}"` };
      const json = { items: jobIds };
      return readJson(await call({ method: 'PUT', path: `${pathOf(id)}/items`, json, headers }));
    },

    /** As another program reads it, as bytes. `folder` is where the files lie on your machine, for formats that name them. */
    async export(id: string, format: CollectionFormat, folder?: string): Promise<Uint8Array> {
      const response = await call({
        method: 'GET',
        path: `${pathOf(id)}/export`,
        query: { format, folder },
        headers: { accept: '*/*' },
      });
      return new Uint8Array(await response.arrayBuffer());
    },

    /** A proposal with the reason of every step; changes nothing. */
    async order(id: string, by: Order['by']): Promise<Order> {
      return readJson(await call({ method: 'GET', path: `${pathOf(id)}/order`, query: { by } }));
    },
  };
}

function pathOf(id: string): string {
  return `/v1/collections/${encodeURIComponent(id)}`;
}
