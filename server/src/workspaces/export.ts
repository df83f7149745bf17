import { recordAudit } from '../audit/audit.ts';
import type { MemberContext } from '../context.ts';
import { accessEnded, notFound } from '../errors.ts';
import type { AccessWatch } from '../http/implement.ts';
import { EXPORTED, readSection } from './export-store.ts';

/** Chosen: a page of rows takes little memory. */
const PAGE_ROWS = 500;
/** Changes only when existing lines change their meaning, not for new types and fields. */
const FORMAT_VERSION = 1;

/**
 * All data of a workspace as JSON lines, oldest first (events by song, attempts by delivery). It is read page by page, since it may be
 * larger than our memory. The last line has the number of the others, so that an incomplete export can be recognised. It breaks off
 * when the caller loses access meanwhile, also because the workspace is deleted: it would then be incomplete without saying so.
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
  let count = 0;
  for (const section of EXPORTED) {
    const limit = section.pageRows ?? PAGE_ROWS;
    // '' is before every key.
    for (let after = section.keys.map(() => ''); ; ) {
      if (access.lost.aborted) throw accessEnded();
      const rows = await readSection(ctx.db, section, workspaceId, { after, limit });
      for (const { data } of rows) yield line(section.type, section.present?.(data) ?? data);
      count += rows.length;
      if (rows.length < limit) break;
      after = rows.at(-1)!.key;
    }
  }
  if (await access.isLost()) throw accessEnded();
  yield line('end', { lines: count });
}
