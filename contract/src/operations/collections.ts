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
const tagged = { ETag: 'The version of the collection, to be sent as `If-Match`' } as const;
const collectionAnswer = { ...json('The collection', Collection), headers: tagged } as const;
const etag = z.string().max(100).meta({ description: 'The `ETag` of the version to change; `*` for any' });

export const createCollection = defineOperation({
  ...shared,
  id: 'createCollection',
  method: 'POST',
  path: '/v1/collections',
  summary: 'Create a collection of songs',
  policy: writes,
  body: NewCollection,
  idempotent: true,
  responses: { 201: collectionAnswer },
  errors: ['conflict'],
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
  summary: 'Read a collection and its songs, in order',
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
  responses: { 200: json('Deleted', Deleted) },
});

export const replaceCollectionItems = defineOperation({
  ...shared,
  id: 'replaceCollectionItems',
  method: 'PUT',
  path: '/v1/collections/{collection_id}/items',
  summary: 'Set the songs and their order',
  description: 'Replaces the whole list. Fails if the collection has changed since you read it.',
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
  description: 'A song that is already in the collection keeps its place.',
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
  summary: 'Propose an order, with a reason for every step',
  policy: reads,
  params: collectionId,
  query: z.object({ by: z.enum(COLLECTION_ORDERS) }),
  responses: { 200: json('The proposal; the collection is not changed', CollectionOrder) },
});

export const exportCollection = defineOperation({
  ...shared,
  id: 'exportCollection',
  method: 'GET',
  path: '/v1/collections/{collection_id}/export',
  summary: 'Export the collection for another program',
  policy: reads,
  params: collectionId,
  query: z.object({
    format: z.enum(COLLECTION_FORMATS),
    folder: exportFolder.optional(),
  }),
  responses: {
    200: {
      description: 'The file; its content type depends on the format',
      schema: null,
      contentType: 'application/octet-stream',
      otherContentTypes: COLLECTION_EXPORT_TYPES,
    },
  },
  errors: ['conflict'],
});
