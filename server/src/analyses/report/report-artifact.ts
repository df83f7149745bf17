import type * as contract from '@earshot/contract';
import type { z } from 'zod';
import type { Config } from '../../config.ts';
import type { Analysis } from '../analysis.ts';

/** Artifact names of the report, by format. */
export const REPORT_FILES = { html: 'report.html', pdf: 'report.pdf' } as const;

/** Null unless the analysis is completed. There is one report per analysis, so their ids differ only in the prefix. */
export function presentReport(
  config: Pick<Config, 'baseUrl'>,
  analysis: Analysis,
): z.input<typeof contract.AnalysisResult>['report_artifact'] {
  if (analysis.status !== 'completed' || analysis.completedAt === null) return null;
  const jobUrl = `${config.baseUrl}/v1/analyses/${analysis.id}`;
  return {
    id: `art_${analysis.id.slice('job_'.length)}`,
    formats: {
      html: `${jobUrl}/artifacts/${REPORT_FILES.html}`,
      pdf: `${jobUrl}/artifacts/${REPORT_FILES.pdf}`,
      json: `${jobUrl}/result`,
    },
    created_at: analysis.completedAt.toISOString(),
    expires_at: null,
  };
}
