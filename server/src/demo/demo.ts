import { randomBytes } from 'node:crypto';
import type { Analysis } from '../analyses/analysis.ts';
import { recordEvent } from '../analyses/events.ts';
import { findAnalysis, findDemoAnalysis, insertAnalysis } from '../analyses/store.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { limitSubjectOf } from '../http/client-address.ts';
import { consumeLimit, type Limit } from '../http/limits.ts';
import { enqueue } from '../jobs/queue.ts';
import { sha256Hex } from '../platform/crypto.ts';
import { newId } from '../platform/ids.ts';

const LIFETIME_MS = 60 * 60 * 1000;
const PER_CLIENT: Limit = { name: 'demo', count: 5, windowSeconds: 3600 };
/** All demos together: what strangers may use of the machine in a day. */
const IN_ALL: Limit = { name: 'demo-in-all', count: 1000, windowSeconds: 86_400 };

export type DemoAccepted = { analysis: Analysis; pollUrl: string; expiresAt: Date };

/** An analysis without an account. Whoever has the poll address can read it, for an hour. */
export async function startDemo(ctx: Context, url: string): Promise<DemoAccepted> {
  await consumeLimit(
    ctx,
    PER_CLIENT,
    limitSubjectOf(ctx.ip ?? ''),
    'You have used the demo often. Register for a free key.',
  );
  await consumeLimit(ctx, IN_ALL, 'all', 'The demo is busy today. Register for a free key.');
  await ctx.guardedFetch.assertUrlAllowed(url);
  const id = newId('job');
  const token = randomBytes(32).toString('base64url');
  const now = ctx.clock();
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  const analysis = await ctx.db.transaction(async (tx) => {
    await insertAnalysis(tx, {
      id,
      workspaceId: null,
      surface: 'demo',
      sourceUrl: url,
      storageObjectId: null,
      fileName: null,
      webhookUrl: null,
      features: null,
      hints: {},
      metadata: {},
      enrich: [],
      retainSource: false,
      createdBy: { kind: 'anonymous', id: null },
      demo: { tokenHash: sha256Hex(token), expiresAt },
      now,
    });
    await recordEvent(tx, id, 'job.queued', 'Waiting for a worker.');
    const created = await findAnalysis(tx, id);
    // All demos share one turn: a crowd of strangers waits for itself, not before customers.
    await enqueue(tx, { kind: 'analysis.run', tenant: 'demo', payload: { analysisId: id } });
    return created;
  });
  if (!analysis) throw new Error(`The demo ${id} was not written`);
  const pollUrl = `${ctx.config.baseUrl}/v1/demo/analysis/${id}?${new URLSearchParams({ token })}`;
  return { analysis, pollUrl, expiresAt };
}

/** A wrong token, an expired one and an unknown id are the same answer. */
export async function getDemo(ctx: Context, id: string, token: string | undefined): Promise<Analysis> {
  const analysis = await findDemoAnalysis(ctx.db, id, sha256Hex(token ?? ''), ctx.clock());
  if (!analysis) throw notFound();
  return analysis;
}
