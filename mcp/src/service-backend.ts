import { Earshot, type ExportFormat, type Job } from '@earshot/sdk';
import type { Analysed, Backend, Watch } from './backend.ts';

/** The service answers earlier when the job ends; by then the assistant has heard of its progress anew. */
const LOOK_SECONDS = 2;

/** Every analysis of the workspace that the client's key belongs to. `openFile` reads files where there are any to read. */
export function createServiceBackend(
  earshot: Earshot,
  openFile: ((path: string) => Promise<{ file: Blob; fileName: string }>) | null,
): Backend {
  return {
    analyseFile:
      openFile === null
        ? null
        : async (path, watch) => follow(await earshot.analyses.create({ ...(await openFile(path)) }), watch),
    analyseUrl: async (url, watch) => follow(await earshot.analyses.create({ url }), watch),
    find: async (id, watch) => follow(await earshot.analyses.get(id), watch),
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
    writeExport: (id: string, format: ExportFormat) => earshot.analyses.export(id, format),
  };
}

/** For the service itself: `fetch` reaches its own routes, and carries the caller's credentials. */
export function createInProcessBackend(fetch: typeof globalThis.fetch): Backend {
  return createServiceBackend(new Earshot({ baseUrl: 'http://service.invalid', fetch, retriesMax: 0 }), null);
}

async function follow(job: Job, watch: Watch): Promise<Analysed> {
  const deadlineMs = performance.now() + watch.waitMs;
  while (isOpen(job) && performance.now() < deadlineMs) {
    await job.refresh({ waitSeconds: LOOK_SECONDS, signal: watch.signal });
    watch.onProgress(job.progress);
  }
  const { id, status, progress, data } = job;
  const { result } = status === 'completed' ? await job.result({ signal: watch.signal }) : { result: null };
  return { id, status, progress, name: data.file_name, result, error: data.error?.message ?? null };
}

function isOpen({ status }: Job): boolean {
  return status === 'queued' || status === 'processing';
}
