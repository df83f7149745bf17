/** Files dropped in this visit, by job: what can be played without asking the service for it. */
const files = new Map<string, Blob>();

export function keepFile(jobId: string, file: Blob): void {
  files.set(jobId, file);
}

export function playableFile(jobId: string): Blob | null {
  return files.get(jobId) ?? null;
}

export function forgetFile(jobId: string): void {
  files.delete(jobId);
}
