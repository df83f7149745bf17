import type { Context, Dependencies } from '../context.ts';
import { enqueue } from '../jobs/queue.ts';
import { newId } from '../platform/ids.ts';
import type { Transaction } from '../platform/postgres.ts';
import { markObjectStored } from '../storage-objects/storage-objects.ts';
import { type Analysis, tenantOf } from './analysis.ts';
import { appendEvent } from './events.ts';
import { fileNameOfUrl } from './file-name.ts';
import type { Upload } from './receive-upload.ts';
import * as store from './store.ts';

/** A URL, or a file that this request has just uploaded. */
export type DemoSource = { url: string } | { upload: Upload };

/** An anonymous analysis: no workspace, no credit, no webhook. */
export async function createDemoAnalysis(
  ctx: Context,
  tx: Transaction,
  demo: { source: DemoSource; tokenHash: string; expiresAt: Date },
): Promise<Analysis> {
  const id = newId('job');
  const { source } = demo;
  if ('upload' in source) await markObjectStored(tx, source.upload.objectId, source.upload.stored);
  await store.insertAnalysis(tx, {
    id,
    workspaceId: null,
    surface: 'demo',
    sourceUrl: 'url' in source ? source.url : null,
    storageObjectId: 'url' in source ? null : source.upload.objectId,
    fileName: 'url' in source ? fileNameOfUrl(source.url) : source.upload.fileName,
    webhookUrl: null,
    features: null,
    hints: {},
    metadata: {},
    enrich: [],
    retainSource: false,
    createdBy: { kind: 'anonymous', id: null },
    demo,
    now: ctx.clock(),
  });
  await appendEvent(tx, id, 'job.queued', 'Waiting for a worker.');
  const created = await store.lockAnalysis(tx, id);
  if (!created) throw new Error(`The demo ${id} was not written`);
  const kind = 'url' in source ? 'analysis.download' : 'analysis.run';
  await enqueue(tx, { kind, tenant: tenantOf(created), payload: { analysisId: id } });
  return created;
}

/** Null for a wrong token, an expired one or an unknown id. */
export function findDemoAnalysis(ctx: Dependencies, id: string, tokenHash: string): Promise<Analysis | null> {
  return store.findDemoAnalysis(ctx.db, id, tokenHash, ctx.clock());
}
