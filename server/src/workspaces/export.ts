import { recordAudit } from '../audit/audit.ts';
import type { MemberContext } from '../context.ts';
import { accessEnded, notFound } from '../errors.ts';
import type { AccessWatch } from '../http/implement.ts';
import { EXPORTED, readSection } from './export-store.ts';

/** A page takes little memory, except for the types that set fewer rows (export-store.ts). */
const PAGE_ROWS = 500;
/** Increases only when existing lines change their meaning, not for new types and fields. */
const FORMAT_VERSION = 1;

/**
 * All data of a workspace as JSON lines, each type oldest first (events by song, attempts by delivery), read page by page because it may
 * not fit into memory. The last line has the number of lines between the first and itself, so that an incomplete export can be recognised.
 * When the caller loses access during the export, for example because the workspace is deleted, it is aborted without that line.
 */
export async function exportWorkspace(
  ctx: MemberContext,
  workspaceId: string,
  access: Pick<AccessWatch, 'lost' | 'isLost'>,
): Promise<{ lines: AsyncIterable<string>; fileName: string }> {
  if (workspaceId !== ctx.actor.workspaceId) throw notFound();
  await ctx.db.transaction((tx) =>
    recordAudit(tx, ctx, { action: 'workspace.export', targetType: 'workspace', targetId: workspaceId }),
  );
  const day = ctx.clock().toISOString().slice(0, 10);
  return { lines: writeLines(ctx, workspaceId, access), fileName: `earshot-${workspaceId}-${day}.jsonl` };
}

async function* writeLines(
  ctx: MemberContext,
  workspaceId: string,
  access: Pick<AccessWatch, 'lost' | 'isLost'>,
): AsyncGenerator<string> {
  const line = (type: string, data: unknown) => `${JSON.stringify({ type, data })}\n`;
  const exported_at = ctx.clock().toISOString();
  yield line('export', { format: FORMAT_VERSION, workspace_id: workspaceId, exported_at });
  let lineCount = 0;
  for (const section of EXPORTED) {
    const limit = section.pageRows ?? PAGE_ROWS;
    // '' sorts before every key.
    for (let after = section.keys.map(() => ''); ; ) {
      if (access.lost.aborted) throw accessEnded();
      const rows = await readSection(ctx.db, section, workspaceId, { after, limit });
      for (const { data } of rows) yield line(section.type, section.present?.(data) ?? data);
      lineCount += rows.length;
      if (rows.length < limit) break;
      after = rows.at(-1)!.key;
    }
  }
  if (await access.isLost()) throw accessEnded();
  yield line('end', { lines: lineCount });
}
