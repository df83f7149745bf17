import { earshot } from './api.ts';
import { followJob } from './follow-job.ts';
import { putFile } from './send-file.ts';

export type Upload = {
  id: number;
  name: string;
  /** Of the file, while it travels; of the analysis, afterwards. */
  fraction: number;
  stage: string;
  jobId: string | null;
  problem: string | null;
};

/** Files dropped in this visit, by job: what can be played without asking the server for it. */
const playable = new Map<string, Blob>();

export function playableFile(jobId: string): Blob | null {
  return playable.get(jobId) ?? null;
}

type Tell = (change: Partial<Upload>) => void;

/** Sends one file to storage and submits it; `report` is told of every change. */
export function uploadAndAnalyse(
  upload: Upload,
  file: File,
  report: (upload: Upload) => void,
): Promise<void> {
  return submitAndFollow(upload, report, async (tell) => {
    tell({ stage: 'Uploading' });
    const contentType = /^(audio\/|video\/(mp4|webm)$|application\/ogg$)/.test(file.type)
      ? file.type
      : 'application/octet-stream';
    const slot = await earshot.request('createStorageObject', {
      body: { content_type: contentType, purpose: 'upload', file_name: file.name },
    });
    await putFile(slot.signed_url, file, contentType, (fraction) => tell({ fraction }));
    const job = await earshot.request('createAnalysis', {
      body: {
        storage_object_id: slot.id,
        retain_source: true,
        metadata: { file_name: file.name.slice(0, 200) },
      },
    });
    playable.set(job.id, file);
    return job.id;
  });
}

export function submitUrl(upload: Upload, url: string, report: (upload: Upload) => void): Promise<void> {
  return submitAndFollow(upload, report, async () => {
    const body = { source_url: url, retain_source: true };
    return (await earshot.request('createAnalysis', { body })).id;
  });
}

/** Never rejects: a problem is part of the state. */
async function submitAndFollow(
  upload: Upload,
  report: (upload: Upload) => void,
  submit: (tell: Tell) => Promise<string>,
): Promise<void> {
  let state = upload;
  const tell: Tell = (change) => {
    state = { ...state, ...change };
    report(state);
  };
  try {
    const jobId = await submit(tell);
    tell({ jobId, stage: 'Queued', fraction: 0 });
    await followJob(jobId, (stage, fraction) => tell({ stage, fraction }));
  } catch (error) {
    tell({ problem: (error as Error).message });
  }
}
