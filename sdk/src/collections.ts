import { newIdempotencyKey } from './new-idempotency-key.ts';
import { paginate } from './paginate.ts';
import { callAndDiscard, download, readJson, type Transport } from './transport.ts';
import type { Operations } from './wire-types.generated.ts';

/**
 * A collection: an ordered list of songs, such as a crate or a set list.
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
      const idempotencyKey = newIdempotencyKey();
      return readJson(await call({ method: 'POST', path: '/v1/collections', json: input, idempotencyKey }));
    },

    async get(id: string): Promise<Collection> {
      return readJson(await call({ method: 'GET', path: collectionPath(id) }));
    },

    /** Newest first; pages are fetched as you iterate. */
    list(): AsyncGenerator<Summary> {
      return paginate(call, '/v1/collections', {});
    },

    async update(id: string, change: Operations['updateCollection']['body']): Promise<Collection> {
      return readJson(await call({ method: 'PATCH', path: collectionPath(id), json: change }));
    },

    async delete(id: string): Promise<void> {
      await callAndDiscard(call, { method: 'DELETE', path: collectionPath(id) });
    },

    /** Appends songs; one that is already in the collection stays where it is. */
    async add(id: string, jobIds: readonly string[]): Promise<Collection> {
      // Adding a song twice adds it once, so the call may be retried.
      const idempotencyKey = newIdempotencyKey();
      const json = { items: jobIds };
      return readJson(
        await call({ method: 'POST', path: `${collectionPath(id)}/items`, json, idempotencyKey }),
      );
    },

    /**
     * Replaces the whole list. `version` is that of the collection as you read it: if it has changed since, the call fails
     * with `precondition_failed` and nothing is lost.
     *
     * @example
     * ```ts
     * import { Earshot } from '@earshot/sdk';
     *
     * const earshot = new Earshot({ apiKey: process.env.EARSHOT_API_KEY, baseUrl: 'http://localhost:8080' });
     * const { id } = await earshot.collections.create({ name: 'Friday' });
     * const { steps } = await earshot.collections.order(id, 'harmonic');
     * const current = await earshot.collections.get(id);
     * await earshot.collections.replaceItems(id, steps.map((step) => step.job_id), current.version);
     * ```
     */
    async replaceItems(id: string, jobIds: readonly string[], version: number): Promise<Collection> {
      const headers = { 'if-match': `"${version}"` };
      const json = { items: jobIds };
      return readJson(await call({ method: 'PUT', path: `${collectionPath(id)}/items`, json, headers }));
    },

    /** The collection as a file of another program. `folder` is where the audio files are, for formats that contain their paths. */
    async export(id: string, format: CollectionFormat, folder?: string): Promise<Uint8Array> {
      return download(call, `${collectionPath(id)}/export`, { format, folder });
    },

    /** A proposed order with the reason for every step; changes nothing. */
    async order(id: string, by: Order['by']): Promise<Order> {
      return readJson(await call({ method: 'GET', path: `${collectionPath(id)}/order`, query: { by } }));
    },
  };
}

function collectionPath(id: string): string {
  return `/v1/collections/${encodeURIComponent(id)}`;
}
