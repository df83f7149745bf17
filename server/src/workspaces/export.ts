import { recordAudit } from '../audit/audit.ts';
import type { MemberContext } from '../context.ts';
import { notFound } from '../errors.ts';
import { EXPORTED, readSection } from './export-store.ts';

/** Chosen: a page of rows is small beside the process. */
const PAGE_ROWS = 500;
/** Changes only when a line means something else than before; new types and fields may come at any time. */
const FORMAT_VERSION = 1;

/**
 * All that a workspace holds, as JSON lines, oldest first (events song by song, attempts delivery by delivery), a page at a time: it
 * may be larger than our memory. The last line counts the others, so that an export that was cut off shows.
 */
export async function exportWorkspace(
  ctx: MemberContext,
  workspaceId: string,
): Promise<{ lines: AsyncIterable<string>; fileName: string }> {
  if (workspaceId !== ctx.actor.workspaceId) throw notFound();
  await ctx.db.transaction((tx) =>
    recordAudit(tx, ctx, { action: 'workspace.export', targetType: 'workspace', targetId: workspaceId }),
  );
  const day = ctx.clock().toISOString().slice(0, 10);
  return { lines: writeLines(ctx, workspaceId), fileName: `earshot-${workspaceId}-${day}.jsonl` };
}

async function* writeLines(ctx: MemberContext, workspaceId: string): AsyncGenerator<string> {
  const line = (type: string, data: unknown) => `${JSON.stringify({ type, data })}\n`;
  const exported_at = ctx.clock().toISOString();
  yield line('export', { format: FORMAT_VERSION, workspace_id: workspaceId, exported_at });
  let count = 0;
  for (const section of EXPORTED) {
    const limit = section.pageRows ?? PAGE_ROWS;
    // Every id comes after an empty one.
    for (let after = section.keys.map(() => ''); ; ) {
      const rows = await readSection(ctx.db, section, workspaceId, { after, limit });
      for (const { data } of rows) yield line(section.type, section.present?.(data) ?? data);
      count += rows.length;
      if (rows.length < limit) break;
      after = rows.at(-1)!.key;
    }
  }
  yield line('end', { lines: count });
}
