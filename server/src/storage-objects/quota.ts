import type { Dependencies } from '../context.ts';
import { AppError } from '../errors.ts';
import { formatBytes } from '../platform/format-bytes.ts';
import type { Queryable, Transaction } from '../platform/postgres.ts';
import { PLANS, type PlanName } from '../usage/plans.ts';
import { planOfWorkspace } from '../usage/usage.ts';
import * as store from './store.ts';

/**
 * How much a workspace may store at any one time: files waiting for their analysis, retained sources and cached reports. Summed from
 * the rows themselves, because a separate counter could drift.
 */

/** For all demos together: fifty files of the largest size that a demo accepts (analyses/source-limits.ts). */
const DEMO_STORAGE_BYTES_MAX = 1_000_000_000;
/** Every plan has room for this many files of the largest size, also when the operator raises UPLOAD_BYTES_MAX. */
const LARGEST_UPLOADS_MIN = 10;

export type StorageUse = { plan: PlanName | null; usedBytes: number; limitBytes: number };

export async function readStorageUse(
  ctx: Pick<Dependencies, 'config' | 'clock'>,
  db: Queryable,
  workspaceId: string | null,
): Promise<StorageUse> {
  const usedBytes = await store.sumHeldBytes(db, workspaceId);
  if (workspaceId === null) return { plan: null, usedBytes, limitBytes: DEMO_STORAGE_BYTES_MAX };
  const plan = await planOfWorkspace(db, workspaceId, ctx.clock());
  const uploadsBytes = LARGEST_UPLOADS_MIN * ctx.config.limits.uploadBytesMax;
  return { plan, usedBytes, limitBytes: Math.max(PLANS[plan].storageBytesMax, uploadsBytes) };
}

/**
 * Reserves quota for bytes that are about to arrive; throws when the quota or the disk has no room for them. Reservations of one
 * workspace wait for each other until the transaction ends.
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

/** Releases a reservation: the bytes have arrived and are counted by their actual size, or they will not arrive. */
export async function releaseBytes(db: Queryable, objectId: string, byteCount: number): Promise<void> {
  await store.addReservedBytes(db, objectId, -byteCount);
}

/** Throws when the quota is full, so that a request is refused before its upload and not after. */
export async function assertStorageLeft(
  ctx: Pick<Dependencies, 'config' | 'clock'>,
  db: Queryable,
  workspaceId: string,
): Promise<void> {
  assertRoomInPlan(await readStorageUse(ctx, db, workspaceId), 1);
}

function assertRoomInPlan({ plan, usedBytes, limitBytes }: StorageUse, byteCount: number): void {
  if (usedBytes + byteCount <= limitBytes) return;
  const [whose, remedy] =
    plan === null
      ? ['The demo', 'Try again later.']
      : [`This workspace, on the ${plan} plan,`, 'Analyse or delete stored files, or upgrade the plan.'];
  throw new AppError(
    'storage_quota_exceeded',
    `${whose} may keep ${formatBytes(limitBytes)}; ${formatBytes(usedBytes)} are in use or being uploaded. ${remedy}`,
    {
      detail: { limit_bytes: limitBytes, used_bytes: usedBytes },
      bodyUnread: true,
    },
  );
}

/**
 * Share of the disk that uploads leave free, so that the database and the analyses already accepted can still write. /ready warns the
 * operator earlier, at 10 % (platform/disk-space.ts).
 */
const DISK_RESERVE_SHARE = 0.02;

export async function assertRoomOnDisk(
  { diskSpace }: Pick<Dependencies, 'diskSpace'>,
  byteCount: number,
): Promise<void> {
  const room = await diskSpace();
  if (room === null || room.freeBytes - byteCount >= DISK_RESERVE_SHARE * room.totalBytes) return;
  throw new AppError('storage_full', 'The service has no room for this file right now. Try again later.', {
    // A round number: sources are deleted when their analysis ends.
    retryAfterSeconds: 60,
    bodyUnread: true,
  });
}
