import type { Patch } from './build-variant.ts';

/**
 * Places to die at, one between every two things that must not come apart (A2 of the catalogue). A process that passes the
 * armed one kills itself with -9, for as long as the count in the file lasts.
 */
export const FAILPOINTS: Readonly<Record<string, Patch>> = {
  'upload: bytes are coming': at(
    'analyses/receive-upload.ts',
    '    const stored = await ctx.storage.put(object.key, whole',
  ),
  'upload: bytes are stored, no row says so': at(
    'analyses/receive-upload.ts',
    '    return { objectId: object.id, fileName, stored, discard };',
  ),
  'submit: rows are written, not committed': at('analyses/analyses.ts', '  return created;\n}'),
  'any transaction: committed, nobody was told': at(
    'platform/postgres.ts',
    '    // PostgreSQL answers the commit of a failed transaction with ROLLBACK and no error.',
  ),
  'work: a job is claimed': at('jobs/worker.ts', '      for (const job of claimed) start(definition, job);'),
  'work: the audio is decoded': at('analyses/run.ts', '    await recordDecoded(ctx, job'),
  'end: the result is written': at(
    'analyses/complete.ts',
    "    await store.markEnded(tx, analysisId, { status: 'completed'",
  ),
  'end: the refund is in the ledger, not in the balance': at(
    'usage/usage.ts',
    '  const overage = Math.max(0, balance.overage - 1);',
  ),
  'end: the event is in the outbox': at('webhooks/announce.ts', '  return deliveries;\n}'),
  'webhook: posted, not marked': at(
    'webhooks/deliver.ts',
    '  await settle(ctx, job, claim.delivery, result);',
  ),
  'webhook: the retry is being planned': at('webhooks/deliver.ts', '    if (nextAttemptAt === null) return;'),
  'mail: sent, not forgotten': at('mail/send.ts', '  await forgetMail(ctx, job);\n}\n\n/** The address'),
  'meter: told, not marked': at('billing/report-usage.ts', '  await withTransaction(ctx, async (tx) => {'),
  'audio: bytes are deleted, the row is not': at(
    'storage-objects/storage-objects.ts',
    '    await store.markDeleted(tx, id);',
  ),
};

/** Names are checked when the variant is built: a place that moved away is an error, not a point that never fires. */
export function failpointPatches(): Patch[] {
  return Object.entries(FAILPOINTS).map(([name, patch]) => ({
    ...patch,
    replace: `globalThis.dieIfArmed(${JSON.stringify(name)});\n${patch.replace}`,
  }));
}

function at(file: string, find: string): Patch {
  return { file: `server/src/${file}`, find, replace: find };
}

/** The file holds "count name". Read at every pass: arming must not need a restart. */
export const FAILPOINT_BANNER = `
import { readFileSync as readArmed, writeFileSync as writeArmed } from 'node:fs';
globalThis.dieIfArmed = (name) => {
  let text = '';
  try { text = readArmed(process.env.FAILPOINT_FILE, 'utf8'); } catch { return; }
  const space = text.indexOf(' ');
  const count = Number(text.slice(0, space));
  if (!(count > 0) || text.slice(space + 1) !== name) return;
  writeArmed(process.env.FAILPOINT_FILE, (count - 1) + ' ' + name);
  process.kill(process.pid, 'SIGKILL');
};
`;
