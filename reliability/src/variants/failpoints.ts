import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Patch } from './build-variant.ts';

/**
 * Places at which a process can be made to die, between two steps that must both take effect or neither. A process that reaches an armed
 * failpoint removes one of its tokens and kills itself with -9.
 */
const FAILPOINTS: Readonly<Record<string, { file: string; find: string }>> = {
  'upload: receiving bytes': at(
    'analyses/receive-upload.ts',
    '    const stored = await ctx.storage.put(object.key, whole',
  ),
  'upload: bytes stored, not recorded': at(
    'analyses/receive-upload.ts',
    '    return { objectId: object.id, fileName, stored, discard };',
  ),
  'submit: rows written, not committed': at('analyses/analyses.ts', '  return created;\n}'),
  'any transaction: committed, not answered': at('platform/postgres.ts', "    if (command !== 'COMMIT')"),
  'work: job claimed': at(
    'jobs/worker.ts',
    '      for (const job of claimed) running.start(definition, job);',
  ),
  'work: audio decoded': at('analyses/attempt/run.ts', '  await recordDecoded(ctx, job'),
  'end: result written': at(
    'analyses/attempt/complete.ts',
    "    await store.markEnded(tx, analysisId, { status: 'completed'",
  ),
  'end: refund in the ledger, not in the balance': at(
    'usage/usage.ts',
    '  const overage = Math.max(0, balance.overage - 1);',
  ),
  'end: event in the outbox': at('webhooks/announce.ts', '  return deliveries;\n}'),
  'webhook: posted, not marked as delivered': at(
    'webhooks/deliver.ts',
    '  await settle(ctx, job, claim.delivery, result, { countsForHealth: true });',
  ),
  'webhook: planning the retry': at('webhooks/deliver.ts', '    if (nextAttemptAt === null) return;'),
  'mail: sent, still in the outbox': at('mail/send.ts', '  await ctx.db.transaction(async (tx) => {'),
  'meter: reported, not marked as reported': at(
    'billing/report-usage.ts',
    '  await ctx.db.transaction(async (tx) => {',
  ),
  'audio: bytes deleted, row not': at(
    'storage-objects/storage-objects.ts',
    '    await store.markDeleted(tx, id);',
  ),
  'payment: event recorded, not applied': at(
    'billing/payment-events.ts',
    '    const outcome = await applyEvent(ctx, tx, event);',
  ),
  'payment: event applied, outcome not recorded': at(
    'billing/payment-events.ts',
    '    await store.savePaymentOutcome(tx, event.id, outcome);',
  ),
  'ownership: old owner demoted, new one not promoted': at(
    'workspaces/team.ts',
    "  await store.setRole(tx, workspaceId, userId, 'owner');",
  ),
  'invitation: member added, invitation still open': at(
    'workspaces/invitations.ts',
    '  await invitations.markAccepted(tx, id, now);',
  ),
};

export const FAILPOINT_NAMES = Object.keys(FAILPOINTS);

/** The process dies before the line found. */
export const FAILPOINT_PATCHES: readonly Patch[] = Object.entries(FAILPOINTS).map(
  ([name, { file, find }]) => ({
    file,
    find,
    replace: `globalThis.dieIfArmed(${JSON.stringify(name)});\n${find}`,
  }),
);

function at(file: string, find: string): { file: string; find: string } {
  return { file: `server/src/${file}`, find };
}

/**
 * Tokens are files in a folder named after the failpoint. Removing a file is atomic, so only one of several processes that pass at once
 * gets a token; and arming needs no restart.
 */
export const FAILPOINT_BANNER = `
import { readdirSync as listTokens, unlinkSync as takeToken } from 'node:fs';
globalThis.dieIfArmed = (name) => {
  const folder = process.env.FAILPOINT_FOLDER + '/' + name.replaceAll(/[^a-z]+/g, '-');
  let tokens = [];
  try { tokens = listTokens(folder); } catch { return; }
  for (const token of tokens) {
    try { takeToken(folder + '/' + token); } catch { continue; }
    process.kill(process.pid, 'SIGKILL');
  }
};
`;

export async function armFailpoint(root: string, name: string, times: number): Promise<void> {
  const folder = folderOf(root, name);
  await mkdir(folder, { recursive: true });
  for (let token = 0; token < times; token += 1) await writeFile(join(folder, String(token)), '');
}

/** How many more processes will die at the failpoint. */
export async function countTokens(root: string, name: string): Promise<number> {
  return (await readdir(folderOf(root, name))).length;
}

export async function disarmFailpoint(root: string, name: string): Promise<void> {
  await rm(folderOf(root, name), { recursive: true, force: true });
}

function folderOf(root: string, name: string): string {
  return join(root, name.replaceAll(/[^a-z]+/g, '-'));
}
