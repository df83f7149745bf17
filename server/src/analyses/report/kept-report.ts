import { Readable } from 'node:stream';
import type { ExportSource } from '@earshot/exports';
import type { MemberContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { sha256Hex } from '../../platform/crypto.ts';
import { ObjectMissing } from '../../platform/storage.ts';
import {
  deleteUnneededObject,
  discardObject,
  markObjectStored,
  reserveObjectOfSize,
} from '../../storage-objects/storage-objects.ts';
import * as store from './report-store.ts';

/** A larger one is sent and not kept; a report of three hours has two megabytes. */
const KEPT_BYTES_MAX = 10_000_000;

/** The report as PDF: the one that was made before, or a new one, which is then kept. */
export async function openReportPdf(ctx: MemberContext, source: ExportSource): Promise<Buffer | Readable> {
  const { fileName, names, completedAt, document } = source;
  const contentSha256 = sha256Hex(
    JSON.stringify([ctx.pdfWriter.version(), fileName, names, completedAt, document]),
  );
  const kept = await readKept(ctx, source.analysisId, contentSha256);
  if (kept) return kept;
  return ctx.sharePdf(`${source.analysisId}/${contentSha256}`, async () => {
    const bytes = await ctx.pdfWriter.write(source);
    const before = await keep(ctx, source.analysisId, contentSha256, bytes);
    if (before !== null) await deleteReplaced(ctx, source.analysisId, before);
    return bytes;
  });
}

async function readKept(
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
 * Whoever asked has their report in any case: without room for it, the next one makes it again. Answers with the object of the report
 * that it replaces.
 */
async function keep(
  ctx: MemberContext,
  analysisId: string,
  contentSha256: string,
  bytes: Buffer,
): Promise<string | null> {
  if (bytes.length > KEPT_BYTES_MAX) return null;
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
      byteSizeMax: KEPT_BYTES_MAX,
    });
    try {
      const options = { bytesMax: KEPT_BYTES_MAX, contentType };
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
    ctx.log[expected ? 'debug' : 'warn']({ err: error, analysisId }, 'A report was not kept');
    return null;
  }
}

async function deleteReplaced(ctx: MemberContext, analysisId: string, objectId: string): Promise<void> {
  try {
    await deleteUnneededObject(ctx, objectId);
  } catch (error) {
    ctx.log.warn({ err: error, analysisId }, 'The report before was not deleted; a sweep will delete it');
  }
}
