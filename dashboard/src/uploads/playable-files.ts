/** Files uploaded since the page was loaded, by job id, so that they can be played without downloading them. */
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
