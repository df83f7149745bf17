import { Readable } from 'node:stream';
import type { ExportSource } from '@earshot/exports';
import type { MemberContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { sha256Hex } from '../../platform/crypto.ts';
import { ObjectMissing } from '../../platform/storage.ts';
import {
  discardObject,
  markObjectStored,
  reserveObjectOfSize,
} from '../../storage-objects/storage-objects.ts';
import { tryToDeleteFile } from '../erase.ts';
import * as store from './report-store.ts';

/** A larger report is sent but not cached. A recording of three hours has a report of two megabytes. */
const CACHED_BYTES_MAX = 10_000_000;

/** The report as PDF: from the cache if its content is unchanged, otherwise newly written and then cached. */
export async function openReportPdf(ctx: MemberContext, source: ExportSource): Promise<Buffer | Readable> {
  const { fileName, names, completedAt, document } = source;
  const contentSha256 = sha256Hex(
    JSON.stringify([ctx.pdfWriter.version(), fileName, names, completedAt, document]),
  );
  const cached = await readCached(ctx, source.analysisId, contentSha256);
  if (cached) return cached;
  return ctx.sharePdf(`${source.analysisId}/${contentSha256}`, async () => {
    const bytes = await ctx.pdfWriter.write(source);
    const replacedObjectId = await saveToCache(ctx, source.analysisId, contentSha256, bytes);
    if (replacedObjectId !== null) await tryToDeleteFile(ctx, replacedObjectId);
    return bytes;
  });
}

async function readCached(
  ctx: MemberContext,
  analysisId: string,
  contentSha256: string,
): Promise<Readable | null> {
  const { workspaceId } = ctx.actor;
  const object = await store.findReportObject(ctx.db, { analysisId, workspaceId, contentSha256 });
  if (!object) return null;
  try {
    return (await ctx.storage.read(object.key)).stream;
  } catch (error) {
    if (error instanceof ObjectMissing) return null;
    throw error;
  }
}

/**
 * Returns the object id of the report that it replaces. A failure, for example a full quota, is only logged: the request has its
 * report, and the next one writes it again.
 */
async function saveToCache(
  ctx: MemberContext,
  analysisId: string,
  contentSha256: string,
  bytes: Buffer,
): Promise<string | null> {
  if (bytes.length > CACHED_BYTES_MAX) return null;
  const { workspaceId } = ctx.actor;
  const contentType = 'application/pdf';
  try {
    const object = await reserveObjectOfSize(ctx, {
      byteCount: bytes.length,
      workspaceId,
      purpose: 'report',
      contentType,
      fileName: null,
      createdBy: null,
      byteSizeMax: CACHED_BYTES_MAX,
    });
    try {
      const options = { bytesMax: CACHED_BYTES_MAX, contentType };
      const stored = await ctx.storage.put(object.key, Readable.from([bytes]), options);
      return await ctx.db.transaction(async (tx) => {
        await markObjectStored(tx, object.id, stored);
        return store.saveReport(tx, { analysisId, workspaceId, objectId: object.id, contentSha256 });
      });
    } catch (error) {
      await discardObject(ctx, object.id);
      throw error;
    }
  } catch (error) {
    const expected = error instanceof AppError;
    ctx.log[expected ? 'debug' : 'warn']({ err: error, analysisId }, 'A report was not cached');
    return null;
  }
}
