import { writeReportHtml } from '@earshot/exports';
import type { Dependencies } from '../../context.ts';
import { getExportSource } from '../reading/export.ts';
import { findAnalysisOfWorkspace } from '../store.ts';

/** The report for the holder of a share link; null unless the analysis is completed and not deleted. */
export async function writeReportOfWorkspace(
  ctx: Dependencies,
  workspaceId: string,
  analysisId: string,
): Promise<string | null> {
  const analysis = await findAnalysisOfWorkspace(ctx.db, workspaceId, analysisId);
  if (analysis?.status !== 'completed') return null;
  return writeReportHtml(await getExportSource(ctx, analysis));
}
