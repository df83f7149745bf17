import type { AnalysisHints, FeatureGroup } from '@earshot/engine';
import { recordAudit } from '../audit/audit.ts';
import type { Context, Dependencies, MemberContext } from '../context.ts';
import { assertProvidersConfigured } from '../enrichment/enrichment.ts';
import { AppError, notFound } from '../errors.ts';
import { enqueue } from '../jobs/queue.ts';
import { shelveNew } from '../library/shelve.ts';
import { assertUrlsAllowed } from '../platform/allowed-urls.ts';
import { newId } from '../platform/ids.ts';
import type { Transaction } from '../platform/postgres.ts';
import { assertStorageLeft } from '../storage-objects/quota.ts';
import { deleteUnneededObject, getUploadedObject } from '../storage-objects/storage-objects.ts';
import { assertCreditLeft, refundCredit, reserveCredits } from '../usage/usage.ts';
import { type Analysis, type AnalysisSurface, CANCELED, hasEnded } from './analysis.ts';
import { announceEnd } from './announce-end.ts';
import { eraseAnalysis } from './erase.ts';
import { appendEvent } from './events.ts';
import { fileNameOfUrl } from './file-name.ts';
import { findSourceRetention, type SourceRetention } from './retention-store.ts';
import * as store from './store.ts';

export type NewAnalysis = {
  source: { url: string } | { storageObjectId: string };
  webhookUrl: string | null;
  features: FeatureGroup[] | null;
  hints: AnalysisHints;
  metadata: Record<string, string>;
  enrich: string[];
  /** Null: as the workspace keeps its audio. */
  retainSource: boolean | null;
};

/** A submission that names nothing but its audio. */
export const PLAIN_ANALYSIS: Omit<NewAnalysis, 'source'> = {
  webhookUrl: null,
  features: null,
  hints: {},
  metadata: {},
  enrich: [],
  retainSource: null,
};

/** Where in the request an item stands, and what its address is called there: null where it has no name of its own. */
export type ItemPlace = { loc: string[]; url: string | null };

/** Asks DNS, so it runs before the transaction. The worker asks again at every use. */
export async function assertAnalysisAllowed(
  ctx: Context,
  items: readonly (NewAnalysis & { place: ItemPlace })[],
): Promise<void> {
  for (const { enrich, place } of items) assertProvidersConfigured(ctx, enrich, place.loc);
  const urls = items.flatMap(({ source, webhookUrl, place }) => [
    ...('url' in source
      ? [{ url: source.url, loc: [...place.loc, ...(place.url === null ? [] : [place.url])] }]
      : []),
    ...(webhookUrl === null ? [] : [{ url: webhookUrl, loc: [...place.loc, 'webhook_url'] }]),
  ]);
  await assertUrlsAllowed(ctx, urls);
}

/** All or none: the rows, their credits and their jobs are one transaction. */
export async function createAnalyses(
  ctx: MemberContext,
  tx: Transaction,
  input: { surface: Exclude<AnalysisSurface, 'demo'>; items: readonly NewAnalysis[] },
): Promise<Analysis[]> {
  const { workspaceId } = ctx.actor;
  const now = ctx.clock();
  const ids = input.items.map(() => newId('job'));
  const fileNames: (string | null)[] = [];
  for (const { source } of input.items) {
    fileNames.push(
      'url' in source
        ? fileNameOfUrl(source.url)
        : (await getUploadedObject(ctx, tx, source.storageObjectId)).fileName,
    );
  }
  const [retention] = await Promise.all([
    findSourceRetention(tx, workspaceId),
    assertCreditLeft(tx, { workspaceId, now }),
  ]);
  const retained = input.items.map(({ retainSource }) => keepsSource(retention, retainSource));
  if (retained.includes(true)) await assertStorageLeft(ctx, tx, workspaceId);
  const adding = input.items.map(({ source, ...asked }, index) =>
    addAnalysis(ctx, tx, {
      ...asked,
      retainSource: retained[index]!,
      id: ids[index]!,
      workspaceId,
      surface: input.surface,
      sourceUrl: 'url' in source ? source.url : null,
      storageObjectId: 'url' in source ? null : source.storageObjectId,
      fileName: fileNames[index]!,
      createdBy: creatorOf(ctx),
      demo: null,
      now,
    }),
  );
  // Behind the rows: the balance is one lock for all that a workspace submits, and is held from here to the commit.
  const [created] = await Promise.all([
    Promise.all(adding),
    reserveCredits(tx, { workspaceId, analysisIds: ids, now }),
  ]);
  for (const { id, storageObjectId } of created) {
    const kind = storageObjectId === null ? 'analysis.download' : 'analysis.run';
    await enqueue(tx, { kind, tenant: workspaceId, payload: { analysisId: id } });
  }
  return created;
}

/** The statements are sent at once and run in this order: the database is waited for once. */
async function addAnalysis(
  ctx: MemberContext,
  tx: Transaction,
  row: store.NewAnalysisRow,
): Promise<Analysis> {
  const { id, fileName, now } = row;
  const [, analysis] = await Promise.all([
    store.insertAnalysis(tx, row),
    lockAnalysisOfWorkspace(ctx, tx, id),
    shelveNew(tx, { workspaceId: ctx.actor.workspaceId, analysisId: id, fileName, createdAt: now }),
    appendEvent(tx, id, 'job.queued', 'Waiting for a worker.'),
    recordAudit(tx, ctx, { action: 'analysis.create', targetType: 'analysis', targetId: id }),
  ]);
  return analysis;
}

export async function getAnalysisOfWorkspace(ctx: MemberContext, id: string): Promise<Analysis> {
  const analysis = await store.findAnalysisOfWorkspace(ctx.db, ctx.actor.workspaceId, id);
  if (!analysis) throw notFound();
  return analysis;
}

/** The same for whoever has a transaction: nobody ends or deletes it before that has ended. */
export async function lockAnalysisOfWorkspace(
  ctx: MemberContext,
  tx: Transaction,
  id: string,
): Promise<Analysis> {
  const analysis = await store.lockAnalysisOfWorkspace(tx, ctx.actor.workspaceId, id);
  if (!analysis) throw notFound();
  return analysis;
}

/** Of any workspace: for the service's own work, never for a request. */
export function findAnyAnalysis(ctx: Pick<Dependencies, 'db'>, id: string): Promise<Analysis | null> {
  return store.findAnalysis(ctx.db, id);
}

/** In the order of `ids`, which come from the shelf; one that is gone meanwhile is left out. */
export async function listAnalysesById(ctx: MemberContext, ids: readonly string[]): Promise<Analysis[]> {
  return ids.length === 0 ? [] : store.listAnalysesById(ctx.db, ctx.actor.workspaceId, ids);
}

/** Ends an analysis that is not wanted any more. A worker on it is told by the event and stops. */
export async function cancelAnalysis(ctx: MemberContext, id: string): Promise<Analysis> {
  const canceled = await ctx.db.transaction(async (tx) => {
    const analysis = await lockAnalysisOfWorkspace(ctx, tx, id);
    if (hasEnded(analysis)) {
      throw new AppError(
        'already_finished',
        `This analysis is ${analysis.status} and cannot be canceled any more.`,
      );
    }
    await cancelLocked(ctx, tx, analysis);
    await recordAudit(tx, ctx, { action: 'analysis.cancel', targetType: 'analysis', targetId: id });
    return lockAnalysisOfWorkspace(ctx, tx, id);
  });
  if (canceled.storageObjectId !== null) await deleteUnneededObject(ctx, canceled.storageObjectId);
  return canceled;
}

/** Audio, result, events and deliveries go; the charge in the ledger stays. */
export async function deleteAnalysis(ctx: MemberContext, id: string): Promise<void> {
  const leftovers = await ctx.db.transaction(async (tx) => {
    const analysis = await lockAnalysisOfWorkspace(ctx, tx, id);
    return eraseLocked(ctx, tx, analysis);
  });
  await leftovers.remove();
}

/** For whoever has locked it already. */
export async function eraseLocked(
  ctx: MemberContext,
  tx: Transaction,
  analysis: Analysis,
): Promise<{ remove(): Promise<void> }> {
  if (!hasEnded(analysis)) await cancelLocked(ctx, tx, analysis);
  await recordAudit(tx, ctx, { action: 'analysis.delete', targetType: 'analysis', targetId: analysis.id });
  return eraseAnalysis(ctx, tx, analysis);
}

async function cancelLocked(ctx: MemberContext, tx: Transaction, analysis: Analysis): Promise<void> {
  const now = ctx.clock();
  await store.markEnded(tx, analysis.id, { status: 'canceled', failure: null, now });
  await refundCredit(tx, { workspaceId: ctx.actor.workspaceId, analysisId: analysis.id, reason: 'canceled' });
  await appendEvent(tx, analysis.id, 'job.canceled', 'Canceled on request. The credit was returned.');
  await announceEnd(ctx, tx, { ...analysis, status: 'canceled', failure: CANCELED, completedAt: now });
}

/** The workspace says the most that may be kept; a submission may ask for less, and for more only where it is left to it. */
function keepsSource(retention: SourceRetention, asked: boolean | null): boolean {
  if (retention === 'never') return false;
  return asked ?? retention !== 'as_asked';
}

function creatorOf({ actor }: MemberContext): { kind: string; id: string } {
  return actor.kind === 'api_key'
    ? { kind: actor.kind, id: actor.apiKeyId }
    : { kind: actor.kind, id: actor.userId };
}
