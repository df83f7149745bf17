import { Earshot, type Job } from '@earshot/sdk';
import type { AnalysisState, Backend, Watch } from './backend.ts';

/** How long the service may hold a response: progress is reported this often, the end of the job at once. */
const POLL_SECONDS = 2;

/** The analyses of the workspace that the client's key belongs to. `openFile` is null in a server, which has no files of the user. */
export function createServiceBackend(
  earshot: Earshot,
  openFile: ((path: string) => Promise<{ file: Blob; fileName: string }>) | null,
): Backend {
  const submit = async (source: { url: string } | { file: Blob; fileName: string }, watch: Watch) =>
    follow(await earshot.analyses.create({ ...source, signal: watch.signal }), watch);
  return {
    analyseFile: openFile === null ? null : async (path, watch) => submit(await openFile(path), watch),
    analyseUrl: (url, watch) => submit({ url }, watch),
    get: async (id, watch) => follow(await earshot.analyses.get(id), watch),
    async list(limit) {
      const jobs = await earshot.request('listAnalyses', { query: { limit } });
      return jobs.map((job) => ({
        id: job.id,
        status: job.status,
        name: job.file_name,
        progress: job.progress,
        error: job.error?.message ?? null,
      }));
    },
    service: earshot,
    writeExport: (id, format) => earshot.analyses.export(id, format),
  };
}

/** For the service itself: `fetch` calls its own routes with the caller's credentials. */
export function createInProcessBackend(fetch: typeof globalThis.fetch): Backend {
  return createServiceBackend(new Earshot({ baseUrl: 'http://service.invalid', fetch, retriesMax: 0 }), null);
}

async function follow(job: Job, watch: Watch): Promise<AnalysisState> {
  const deadlineMs = performance.now() + watch.waitMs;
  while (isUnfinished(job) && performance.now() < deadlineMs) {
    await job.refresh({ waitSeconds: POLL_SECONDS, signal: watch.signal });
    watch.onProgress(job.progress);
  }
  const { id, status, progress, data } = job;
  const { result } = status === 'completed' ? await job.result({ signal: watch.signal }) : { result: null };
  return { id, status, progress, name: data.file_name, result, error: data.error?.message ?? null };
}

function isUnfinished({ status }: Job): boolean {
  return status === 'queued' || status === 'processing';
}
