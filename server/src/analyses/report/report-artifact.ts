import type { Config } from '../../config.ts';
import type { Analysis } from '../analysis.ts';

export type ReportArtifact = {
  id: string;
  /** Format to address. */
  formats: Record<string, string>;
  createdAt: Date;
  expiresAt: Date | null;
};

/** Names of the report among the artifacts, by format. */
export const REPORT_FILES = { html: 'report.html', pdf: 'report.pdf' } as const;

/** The report of a completed analysis. It has the analysis's own id under another prefix: there is one of each. */
export function reportArtifactOf(config: Pick<Config, 'baseUrl'>, analysis: Analysis): ReportArtifact | null {
  if (analysis.status !== 'completed' || analysis.completedAt === null) return null;
  const jobUrl = `${config.baseUrl}/v1/analyses/${analysis.id}`;
  return {
    id: `art_${analysis.id.slice('job_'.length)}`,
    formats: {
      html: `${jobUrl}/artifacts/${REPORT_FILES.html}`,
      pdf: `${jobUrl}/artifacts/${REPORT_FILES.pdf}`,
      json: `${jobUrl}/result`,
    },
    createdAt: analysis.completedAt,
    expiresAt: null,
  };
}
