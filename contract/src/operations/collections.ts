import { z } from 'zod';
import { defineOperation, json, pageOf } from '../operation.ts';
import { Deleted } from '../resources/analysis.ts';
import {
  COLLECTION_EXPORT_TYPES,
  COLLECTION_FORMATS,
  COLLECTION_ORDERS,
  Collection,
  CollectionChange,
  CollectionItems,
  CollectionOrder,
  CollectionSummary,
  exportFolder,
  NewCollection,
} from '../resources/collection.ts';
import { pageQuery, pathIds } from '../wire-values.ts';

const shared = { tag: 'Collections', surface: 'workspace' } as const;
const reads = { access: 'workspace', scope: 'analyses:read', role: 'viewer' } as const;
const writes = { access: 'workspace', scope: 'analyses:write', role: 'member' } as const;
const collectionId = pathIds('collection_id');
const tagged = { ETag: 'Its version; send it back as `If-Match`' } as const;
const collectionAnswer = { ...json('The collection', Collection), headers: tagged } as const;
const etag = z.string().max(100).meta({ description: 'The `ETag` you read; `*` for whatever there is' });

export const createCollection = defineOperation({
  ...shared,
  id: 'createCollection',
  method: 'POST',
  path: '/v1/collections',
  summary: 'Make a collection of songs',
  policy: writes,
  body: NewCollection,
  idempotent: true,
  responses: { 201: collectionAnswer },
  errors: ['not_found', 'conflict'],
});

export const listCollections = defineOperation({
  ...shared,
  id: 'listCollections',
  method: 'GET',
  path: '/v1/collections',
  summary: 'List the collections of the workspace, newest first',
  policy: reads,
  query: pageQuery('col'),
  responses: { 200: pageOf('A page of collections', z.array(CollectionSummary)) },
});

export const getCollection = defineOperation({
  ...shared,
  id: 'getCollection',
  method: 'GET',
  path: '/v1/collections/{collection_id}',
  summary: 'Read a collection with its songs in order',
  policy: reads,
  params: collectionId,
  responses: { 200: collectionAnswer },
});

export const updateCollection = defineOperation({
  ...shared,
  id: 'updateCollection',
  method: 'PATCH',
  path: '/v1/collections/{collection_id}',
  summary: 'Rename or describe a collection',
  policy: writes,
  params: collectionId,
  headers: z.object({ 'if-match': etag.optional() }),
  body: CollectionChange,
  responses: { 200: collectionAnswer },
  errors: ['precondition_failed'],
});

export const deleteCollection = defineOperation({
  ...shared,
  id: 'deleteCollection',
  method: 'DELETE',
  path: '/v1/collections/{collection_id}',
  summary: 'Delete a collection; its songs stay',
  policy: writes,
  params: collectionId,
  responses: { 200: json('Gone', Deleted) },
});

export const replaceCollectionItems = defineOperation({
  ...shared,
  id: 'replaceCollectionItems',
  method: 'PUT',
  path: '/v1/collections/{collection_id}/items',
  summary: 'Set the songs and their order',
  description: 'The whole list. Refused when somebody has changed the collection since you read it.',
  policy: writes,
  params: collectionId,
  headers: z.object({ 'if-match': etag }),
  body: CollectionItems,
  responses: { 200: collectionAnswer },
  errors: ['precondition_failed'],
});

export const appendCollectionItems = defineOperation({
  ...shared,
  id: 'appendCollectionItems',
  method: 'POST',
  path: '/v1/collections/{collection_id}/items',
  summary: 'Add songs at the end',
  description: 'A song that is there already stays where it is.',
  policy: writes,
  params: collectionId,
  body: CollectionItems,
  responses: { 200: collectionAnswer },
  errors: ['conflict'],
});

export const proposeCollectionOrder = defineOperation({
  ...shared,
  id: 'proposeCollectionOrder',
  method: 'GET',
  path: '/v1/collections/{collection_id}/order',
  summary: 'Propose an order, with the reason of every step',
  policy: reads,
  params: collectionId,
  query: z.object({ by: z.enum(COLLECTION_ORDERS) }),
  responses: { 200: json('The proposal; nothing is changed', CollectionOrder) },
});

export const exportCollection = defineOperation({
  ...shared,
  id: 'exportCollection',
  method: 'GET',
  path: '/v1/collections/{collection_id}/export',
  summary: 'The collection as another program reads it',
  policy: reads,
  params: collectionId,
  query: z.object({
    format: z.enum(COLLECTION_FORMATS),
    folder: exportFolder.optional(),
  }),
  responses: {
    200: {
      description: 'The file, of the type of its format',
      schema: null,
      contentType: 'application/octet-stream',
      otherContentTypes: COLLECTION_EXPORT_TYPES,
    },
  },
  errors: ['conflict'],
});
