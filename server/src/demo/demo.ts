import { randomBytes } from 'node:crypto';
import type { Analysis } from '../analyses/analysis.ts';
import { createDemoAnalysis, type DemoSource, findDemoAnalysis } from '../analyses/demo-analyses.ts';
import type { Upload } from '../analyses/receive-upload.ts';
import type { Context } from '../context.ts';
import { type Limit, notFound } from '../errors.ts';
import { limitSubjectOf } from '../limits/client-address.ts';
import { consumeLimit } from '../limits/rate-limits.ts';
import { sha256Hex } from '../platform/crypto.ts';
import type { Transaction } from '../platform/postgres.ts';
import { HOUR_MS } from '../platform/time-units.ts';

/** How long the poll address works. The contract promises an hour. */
const LIFETIME_MS = HOUR_MS;
const TOKEN_BYTES = 32;
/** Enough to try the service. */
const PER_CLIENT: Limit = { name: 'demo', count: 5, windowSeconds: 3600 };
/** All clients together: bounds what anonymous users take of the machine in a day. */
const ALL_CLIENTS: Limit = { name: 'demo-in-all', count: 1000, windowSeconds: 86_400 };

export type AcceptedDemo = { analysis: Analysis; pollUrl: string; expiresAt: Date };

/** The upload is discarded if the analysis cannot be created. */
export async function startUploadDemo(ctx: Context, upload: Upload): Promise<AcceptedDemo> {
  try {
    return await ctx.db.transaction((tx) => startDemo(ctx, tx, { upload }));
  } catch (error) {
    await upload.discard();
    throw error;
  }
}

/** Called before the upload is read, so that many clients together cannot fill the disk. */
export async function consumeDemoLimits(ctx: Context): Promise<void> {
  const client = limitSubjectOf(ctx.ip ?? 'unknown');
  await consumeLimit(ctx, PER_CLIENT, client, 'You have used the demo often. Register for a free key.');
  await consumeLimit(ctx, ALL_CLIENTS, 'all', 'The demo is busy today. Register for a free key.');
}

/** An analysis without an account, readable by anyone with the poll address. */
export async function startDemo(ctx: Context, tx: Transaction, source: DemoSource): Promise<AcceptedDemo> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = new Date(ctx.clock().getTime() + LIFETIME_MS);
  const analysis = await createDemoAnalysis(ctx, tx, { source, tokenHash: sha256Hex(token), expiresAt });
  const pollUrl = `${ctx.config.baseUrl}/v1/demo/analysis/${analysis.id}?token=${token}`;
  return { analysis, pollUrl, expiresAt };
}

/** A wrong or expired token and an unknown id give the same error. */
export async function getDemo(ctx: Context, id: string, token: string | undefined): Promise<Analysis> {
  const analysis = token === undefined ? null : await findDemoAnalysis(ctx, id, sha256Hex(token));
  if (!analysis) throw notFound();
  return analysis;
}
