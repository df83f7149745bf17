import type { AnalysisHints, FeatureGroup } from '@earshot/engine';
import { recordAudit } from '../audit/audit.ts';
import type { Context, Dependencies, MemberContext } from '../context.ts';
import { assertProvidersConfigured } from '../enrichment/enrichment.ts';
import { AppError, notFound } from '../errors.ts';
import { enqueue } from '../jobs/queue.ts';
import { indexNewSong } from '../library/index-song.ts';
import { assertUrlsAllowed } from '../platform/allowed-urls.ts';
import { newId } from '../platform/ids.ts';
import type { Transaction } from '../platform/postgres.ts';
import { assertStorageLeft } from '../storage-objects/quota.ts';
import { getUploadedObject } from '../storage-objects/storage-objects.ts';
import { assertCreditLeft, refundCredit, reserveCredits } from '../usage/usage.ts';
import { type Analysis, type AnalysisSurface, CANCELED, hasEnded } from './analysis.ts';
import { announceEnd } from './announce-end.ts';
import { eraseAnalysis, tryToDeleteFile } from './erase.ts';
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
  /** Null: the workspace's setting applies. */
  retainSource: boolean | null;
};

/** A submission with no options: its source is all it says. */
export const PLAIN_ANALYSIS: Omit<NewAnalysis, 'source'> = {
  webhookUrl: null,
  features: null,
  hints: {},
  metadata: {},
  enrich: [],
  retainSource: null,
};

/** The place of an item in the request, for error locations. `urlField` is null where the item itself is the URL. */
export type ItemPlace = { loc: string[]; urlField: string | null };

/** Resolves names by DNS, so it runs before the transaction. The worker checks again at every use. */
export async function assertAnalysisAllowed(
  ctx: Context,
  items: readonly (NewAnalysis & { place: ItemPlace })[],
): Promise<void> {
  for (const { enrich, place } of items) assertProvidersConfigured(ctx, enrich, place.loc);
  const urls = items.flatMap(({ source, webhookUrl, place }) => [
    ...('url' in source
      ? [{ url: source.url, loc: [...place.loc, ...(place.urlField === null ? [] : [place.urlField])] }]
      : []),
    ...(webhookUrl === null ? [] : [{ url: webhookUrl, loc: [...place.loc, 'webhook_url'] }]),
  ]);
  await assertUrlsAllowed(ctx, urls);
}

/** All or none: rows, credits and jobs are written in one transaction. */
export async function createAnalyses(
  ctx: MemberContext,
  tx: Transaction,
  input: { surface: Exclude<AnalysisSurface, 'demo'>; items: readonly NewAnalysis[] },
): Promise<Analysis[]> {
  const { workspaceId } = ctx.actor;
  const now = ctx.clock();
  const sources: SourceColumns[] = [];
  for (const { source } of input.items) sources.push(await readSource(ctx, tx, source));
  const [retention] = await Promise.all([
    findSourceRetention(tx, workspaceId),
    assertCreditLeft(tx, { workspaceId, now }),
  ]);
  const rows = input.items.map(({ source: _, ...options }, index) => ({
    ...options,
    ...sources[index]!,
    id: newId('job'),
    workspaceId,
    surface: input.surface,
    retainSource: keepsSource(retention, options.retainSource),
    createdBy: creatorOf(ctx),
    demo: null,
    now,
  }));
  if (rows.some(({ retainSource }) => retainSource)) await assertStorageLeft(ctx, tx, workspaceId);
  const [created] = await Promise.all([
    Promise.all(rows.map((row) => addAnalysis(ctx, tx, row))),
    // Sent after the inserts: all submissions of a workspace lock its balance, which stays locked until the commit.
    reserveCredits(tx, { workspaceId, analysisIds: rows.map(({ id }) => id), now }),
  ]);
  for (const { id, storageObjectId } of created) {
    const kind = storageObjectId === null ? 'analysis.download' : 'analysis.run';
    await enqueue(tx, { kind, tenant: workspaceId, payload: { analysisId: id } });
  }
  return created;
}

type SourceColumns = Pick<store.NewAnalysisRow, 'sourceUrl' | 'storageObjectId' | 'fileName'>;

async function readSource(
  ctx: MemberContext,
  tx: Transaction,
  source: NewAnalysis['source'],
): Promise<SourceColumns> {
  if ('url' in source) {
    return { sourceUrl: source.url, storageObjectId: null, fileName: fileNameOfUrl(source.url) };
  }
  const { storageObjectId } = source;
  const { fileName } = await getUploadedObject(ctx, tx, storageObjectId);
  return { sourceUrl: null, storageObjectId, fileName };
}

/** The statements are sent together and run in this order: one round trip instead of five. */
async function addAnalysis(
  ctx: MemberContext,
  tx: Transaction,
  row: store.NewAnalysisRow,
): Promise<Analysis> {
  const { id, fileName, now } = row;
  const [, analysis] = await Promise.all([
    store.insertAnalysis(tx, row),
    lockAnalysisOfWorkspace(ctx, tx, id),
    indexNewSong(tx, { workspaceId: ctx.actor.workspaceId, analysisId: id, fileName, createdAt: now }),
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

/** The same, locked: no other transaction ends or deletes the analysis before this one is over. */
export async function lockAnalysisOfWorkspace(
  ctx: MemberContext,
  tx: Transaction,
  id: string,
): Promise<Analysis> {
  const analysis = await store.lockAnalysisOfWorkspace(tx, ctx.actor.workspaceId, id);
  if (!analysis) throw notFound();
  return analysis;
}

/** Not scoped by workspace: for the service's own work, never for a request. */
export function findAnyAnalysis(ctx: Pick<Dependencies, 'db'>, id: string): Promise<Analysis | null> {
  return store.findAnalysis(ctx.db, id);
}

/** In the order of `ids`, which come from the library index; one deleted since is left out. */
export async function listAnalysesById(ctx: MemberContext, ids: readonly string[]): Promise<Analysis[]> {
  return ids.length === 0 ? [] : store.listAnalysesById(ctx.db, ctx.actor.workspaceId, ids);
}

/** The event wakes a worker that is running the analysis, which then stops. */
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
  if (canceled.storageObjectId !== null) await tryToDeleteFile(ctx, canceled.storageObjectId);
  return canceled;
}

/** Deletes the audio, the result and all that belongs to them; a tombstone and the charge in the ledger stay (eraseAnalysis). */
export async function deleteAnalysis(ctx: MemberContext, id: string): Promise<void> {
  const deleteFiles = await ctx.db.transaction(async (tx) =>
    eraseLocked(ctx, tx, await lockAnalysisOfWorkspace(ctx, tx, id)),
  );
  await deleteFiles();
}

/** For callers that hold its lock. Returns what to call once the transaction has committed. */
export async function eraseLocked(
  ctx: MemberContext,
  tx: Transaction,
  analysis: Analysis,
): Promise<() => Promise<void>> {
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

/** The submission decides, except under 'never'; where it says nothing, every setting but 'as_asked' keeps the audio. */
function keepsSource(retention: SourceRetention, requested: boolean | null): boolean {
  if (retention === 'never') return false;
  return requested ?? retention !== 'as_asked';
}

function creatorOf({ actor }: MemberContext): { kind: string; id: string } {
  return actor.kind === 'api_key'
    ? { kind: actor.kind, id: actor.apiKeyId }
    : { kind: actor.kind, id: actor.userId };
}
