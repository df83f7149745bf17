import { earshot } from './api.ts';

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

type OnProgress = (fraction: number) => void;

function putFile(url: string, file: File, contentType: string, onProgress: OnProgress): Promise<string> {
  return sendBody('PUT', url, { body: file, contentType, onProgress });
}

export function postFile(url: string, form: FormData, onProgress: OnProgress): Promise<string> {
  return sendBody('POST', url, { body: form, contentType: null, onProgress });
}

/** XMLHttpRequest, because fetch cannot tell how much of a body has gone out. */
function sendBody(
  method: 'PUT' | 'POST',
  url: string,
  {
    body,
    contentType,
    onProgress,
  }: { body: File | FormData; contentType: string | null; onProgress: OnProgress },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    if (contentType !== null) request.setRequestHeader('content-type', contentType);
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.onload = () =>
      request.status < 300
        ? resolve(request.responseText)
        : reject(new Error(readDetail(request.responseText)));
    request.onerror = () => reject(new Error('The connection broke while the file was on its way.'));
    request.send(body);
  });
}

function readDetail(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    return typeof detail === 'string' ? detail : 'The file was refused.';
  } catch {
    return 'The file was refused.';
  }
}

const LAST_EVENTS = ['job.completed', 'job.failed', 'job.canceled'] as const;

/** The live event stream of a job, to its end. The browser reconnects by itself and resumes where it was. */
export function followJob(jobId: string, onStage: (stage: string, fraction: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = new EventSource(`/v1/analyses/${jobId}/events`);
    const read = (event: MessageEvent<string>) =>
      JSON.parse(event.data) as { message: string; metadata: { stage?: string; progress?: number } };
    stream.addEventListener('job.started', (event) => onStage(read(event).message, 0.02));
    stream.addEventListener('source.downloaded', (event) => onStage(read(event).message, 0.05));
    stream.addEventListener('audio.decoded', (event) => onStage(read(event).message, 0.7));
    stream.addEventListener('analysis.progress', (event) => {
      const { message, metadata } = read(event);
      onStage(metadata.stage ?? message, metadata.progress ?? 0);
    });
    for (const type of LAST_EVENTS) {
      stream.addEventListener(type, (event) => {
        stream.close();
        if (type === 'job.completed') {
          onStage('Done', 1);
          resolve();
        } else reject(new Error(read(event).message));
      });
    }
  });
}
