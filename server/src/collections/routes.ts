import { operations } from '@earshot/contract';
import { versionsOf, versionTagOf } from '../http/entity-tag.ts';
import { requestOf, withIdempotency } from '../http/idempotency.ts';
import { type Implementation, implement } from '../http/implement.ts';
import { answerPage } from '../http/page.ts';
import {
  appendItems,
  createCollection,
  deleteCollection,
  getCollection,
  listCollections,
  proposeCollectionOrder,
  replaceItems,
  updateCollection,
} from './collections.ts';
import { exportCollection } from './export.ts';
import { presentCollection, presentStep, presentSummary } from './present.ts';

const routes = operations.collections;

export const collectionRoutes: Implementation[] = [
  implement(routes.createCollection, async (ctx, { body }, raw) => {
    const answer = await withIdempotency(ctx, requestOf(routes.createCollection, raw), async (tx) => {
      const input = { name: body.name, description: body.description ?? null, items: body.items ?? [] };
      return { status: 201 as const, body: presentCollection(await createCollection(ctx, tx, input)) };
    });
    return { ...answer, headers: { ...answer.headers, ETag: versionTagOf(answer.body) } };
  }),

  implement(routes.listCollections, (ctx, { query }, raw) =>
    answerPage(raw, query, (page) => listCollections(ctx, page), presentSummary),
  ),

  implement(routes.getCollection, async (ctx, { params }) =>
    answerWith(await getCollection(ctx, params.collection_id)),
  ),

  implement(routes.updateCollection, async (ctx, { params, body, headers }) =>
    answerWith(await updateCollection(ctx, params.collection_id, body, versionsOf(headers['if-match']))),
  ),

  implement(routes.deleteCollection, async (ctx, { params }) => {
    await deleteCollection(ctx, params.collection_id);
    return { status: 200, body: { deleted: true } };
  }),

  implement(routes.replaceCollectionItems, async (ctx, { params, body, headers }) =>
    answerWith(await replaceItems(ctx, params.collection_id, body.items, versionsOf(headers['if-match']))),
  ),

  implement(routes.appendCollectionItems, async (ctx, { params, body }) =>
    answerWith(await appendItems(ctx, params.collection_id, body.items)),
  ),

  implement(routes.exportCollection, async (ctx, { params, query }) => {
    const { format, folder = null } = query;
    const file = await exportCollection(ctx, params.collection_id, { format, folder });
    return { status: 200, body: file.body, headers: file.headers };
  }),

  implement(routes.proposeCollectionOrder, async (ctx, { params, query }) => {
    const steps = await proposeCollectionOrder(ctx, params.collection_id, query.by);
    return { status: 200, body: { by: query.by, steps: steps.map(presentStep) } };
  }),
];

function answerWith(collection: Parameters<typeof presentCollection>[0]) {
  return {
    status: 200 as const,
    body: presentCollection(collection),
    headers: { ETag: versionTagOf(collection) },
  };
}
