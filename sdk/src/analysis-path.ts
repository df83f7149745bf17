export function analysisPath(jobId: string): string {
  return `/v1/analyses/${encodeURIComponent(jobId)}`;
}
