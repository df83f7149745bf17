import { z } from 'zod';
import { defineOperation, json } from '../operation.ts';
import { StorageObject, StorageObjectRequest, StoredObject } from '../resources/storage-object.ts';
import { pathIds } from '../wire-values.ts';

const surface = 'workspace' as const;

export const createStorageObject = defineOperation({
  id: 'createStorageObject',
  method: 'POST',
  path: '/v1/storage-objects',
  summary: 'Create a slot to upload one file to',
  tag: 'Storage objects',
  surface,
  policy: { access: 'workspace', scope: 'analyses:create', role: 'member' },
  body: StorageObjectRequest,
  idempotent: true,
  responses: { 201: json('The slot', StorageObject) },
  errors: ['storage_quota_exceeded', 'storage_full'],
});

export const uploadStorageObject = defineOperation({
  id: 'uploadStorageObject',
  method: 'PUT',
  path: '/v1/storage-objects/{storage_object_id}/content',
  summary: 'Upload a file into its slot (the `signed_url` of a slot on local storage)',
  tag: 'Storage objects',
  surface,
  policy: { access: 'signature' },
  params: pathIds('storage_object_id'),
  query: z.object({
    expires: z.string().max(32).meta({ description: 'From the `signed_url`' }),
    signature: z.string().max(128).meta({ description: 'From the `signed_url`' }),
  }),
  rawBody: {
    contentType: 'application/octet-stream',
    description: 'The file, with the content type the slot was made for',
    as: 'stream',
  },
  responses: { 200: json('Stored', StoredObject) },
  errors: ['object_already_uploaded', 'gone', 'storage_full', 'storage_quota_exceeded'],
});
