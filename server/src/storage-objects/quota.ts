import type { Dependencies } from '../context.ts';
import { AppError } from '../errors.ts';
import { formatBytes } from '../platform/format-bytes.ts';
import type { Queryable, Transaction } from '../platform/postgres.ts';
import { PLANS, type PlanName } from '../usage/plans.ts';
import { planOfWorkspace } from '../usage/usage.ts';
import * as store from './store.ts';

/**
 * How much audio a workspace may keep with us at a time: files that wait for their analysis, sources that are retained, and
 * reports. Counted from the rows themselves, so there is no counter that could drift.
 */

/** All demos together. Chosen: fifty of the largest. */
const DEMO_BYTES_MAX = 1_000_000_000;
/** However small the plan, so many of the largest files may wait at once. */
const UPLOADS_MIN = 10;

export type StorageUse = { plan: PlanName | null; usedBytes: number; limitBytes: number };

export async function readStorageUse(
  ctx: Pick<Dependencies, 'config' | 'clock'>,
  db: Queryable,
  workspaceId: string | null,
): Promise<StorageUse> {
  const usedBytes = await store.sumHeldBytes(db, workspaceId);
  if (workspaceId === null) return { plan: null, usedBytes, limitBytes: DEMO_BYTES_MAX };
  const plan = await planOfWorkspace(db, workspaceId, ctx.clock());
  const limitBytes = Math.max(PLANS[plan].storageBytesMax, UPLOADS_MIN * ctx.config.limits.uploadBytesMax);
  return { plan, usedBytes, limitBytes };
}

/**
 * Takes room for bytes that are about to come, on disk and in the quota; throws 413 or 507 with a sentence when there is
 * none. Reservations of one workspace wait for each other until the transaction ends.
 */
export async function reserveBytes(
  ctx: Pick<Dependencies, 'config' | 'clock' | 'diskSpace'>,
  tx: Transaction,
  input: { objectId: string; workspaceId: string | null; byteCount: number },
): Promise<void> {
  const { objectId, workspaceId, byteCount } = input;
  await assertRoomOnDisk(ctx, byteCount);
  await store.lockQuota(tx, workspaceId);
  assertRoomInPlan(await readStorageUse(ctx, tx, workspaceId), byteCount);
  await store.addReservedBytes(tx, objectId, byteCount);
}

/** The bytes have come, and are counted as what they are; or they will not. */
export async function releaseBytes(db: Queryable, objectId: string, byteCount: number): Promise<void> {
  await store.addReservedBytes(db, objectId, -byteCount);
}

/** Refuses early what `reserveBytes` would refuse later. */
export async function assertStorageLeft(
  ctx: Pick<Dependencies, 'config' | 'clock'>,
  db: Queryable,
  workspaceId: string,
): Promise<void> {
  assertRoomInPlan(await readStorageUse(ctx, db, workspaceId), 1);
}

function assertRoomInPlan({ plan, usedBytes, limitBytes }: StorageUse, byteCount: number): void {
  if (usedBytes + byteCount <= limitBytes) return;
  const whose = plan === null ? 'The demo' : `This workspace, on the ${plan} plan,`;
  throw new AppError(
    'storage_quota_exceeded',
    `${whose} may keep ${formatBytes(limitBytes)}, and ${formatBytes(usedBytes)} are in use or on their way. Analyse or delete what is there, or upgrade the plan.`,
    {
      detail: { limit_bytes: limitBytes, used_bytes: usedBytes },
      bodyUnread: true,
    },
  );
}

/** The last part of the disk belongs to the database and to what was accepted before. Chosen. */
const DISK_RESERVE_RATIO = 0.02;

export async function assertRoomOnDisk(
  { diskSpace }: Pick<Dependencies, 'diskSpace'>,
  byteCount: number,
): Promise<void> {
  const room = await diskSpace();
  if (room === null || room.freeBytes - byteCount >= DISK_RESERVE_RATIO * room.totalBytes) return;
  throw new AppError('storage_full', 'The service has no room for this file right now. Try again later.', {
    retryAfterSeconds: 60,
    bodyUnread: true,
  });
}
