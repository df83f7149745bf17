import { ApiError, type RequestInput } from '@earshot/sdk';
import { earshot } from '../api.ts';
import { FILE_NAME_CHARACTERS_MAX } from '../service-limits.ts';
import { followJob } from './follow-job.ts';
import { JobFollower } from './job-follower.ts';
import { keepFile } from './playable-files.ts';
import { putFile } from './send-file.ts';
import { HEAD_BYTES, looksLikeAudio } from './sniff.ts';

export type Upload = {
  id: number;
  name: string;
  /** Progress of the upload, then of the analysis. */
  fraction: number;
  stage: string;
  jobId: string | null;
  state: 'waiting' | 'sending' | 'analysing' | 'done' | 'refused' | 'duplicate';
  problem: string | null;
  /** Whether another attempt may succeed: not for a file that is not audio, nor after a failed analysis. */
  canRetry: boolean;
  /** Refused because the plan has no analyses left this month. */
  isQuotaExceeded: boolean;
};

type Item = {
  upload: Upload;
  /** A file, or the URL of one. */
  source: File | string;
  /** Null until the file has been hashed; always for URLs and large files. */
  sha256: string | null;
  allowDuplicate: boolean;
  /** Cancels the upload, not the analysis. */
  abort: AbortController;
};

/** Enough to hash one file while others are sent. */
const SENDERS_MAX = 3;
/** Larger files take long to hash in a page, and by default the service accepts none of them (UPLOAD_BYTES_MAX). */
const HASHED_BYTES_MAX = 60_000_000;

const WAITING = {
  state: 'waiting',
  stage: 'Waiting',
  fraction: 0,
  jobId: null,
  problem: null,
  canRetry: false,
  isQuotaExceeded: false,
} as const;

/** Not submitted for analysis yet, so it can still be cancelled. */
export function isUnsent({ state }: Upload): boolean {
  return state === 'waiting' || state === 'sending';
}

export function isUnfinished(upload: Upload): boolean {
  return isUnsent(upload) || upload.state === 'analysing';
}

/** Uploads songs and follows their analyses. Lives as long as the document, so changing pages does not interrupt it. */
export class UploadQueue {
  readonly #items: Item[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #onFinished = new Set<() => void>();
  readonly #follower = new JobFollower(followJob);
  #snapshot: readonly Upload[] = [];
  #nextId = 0;
  #senderCount = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly read = (): readonly Upload[] => this.#snapshot;

  /** Calls the listener whenever an analysis has finished or failed. */
  onFinished(listener: () => void): () => void {
    this.#onFinished.add(listener);
    return () => this.#onFinished.delete(listener);
  }

  /** Whether a reload would lose files that are not submitted yet. */
  get wouldLoseFiles(): boolean {
    const isSubmitting = (upload: Upload) => upload.state === 'analysing' && upload.jobId === null;
    return this.#items.some(
      ({ upload, source }) => source instanceof File && (isUnsent(upload) || isSubmitting(upload)),
    );
  }

  addFiles(files: Iterable<File>): void {
    for (const file of files) this.#add(file, file.name);
    this.#startSenders();
  }

  addUrl(url: string): void {
    this.#add(url, url);
    this.#startSenders();
  }

  /** Retries a failed upload, or with `allowDuplicate` uploads a song that is already in the library. */
  sendAgain(id: number, { allowDuplicate }: { allowDuplicate: boolean }): void {
    const item = this.#items.find(({ upload }) => upload.id === id);
    if (!item) return;
    item.allowDuplicate ||= allowDuplicate;
    this.#change(item, WAITING);
    this.#startSenders();
  }

  /** Removes an upload whose file has not been submitted yet; later calls have no effect. */
  cancel(id: number): void {
    const index = this.#items.findIndex(({ upload }) => upload.id === id && isUnsent(upload));
    if (index < 0) return;
    const [item] = this.#items.splice(index, 1);
    item!.abort.abort();
    this.#publish();
  }

  clearFinished(): void {
    const open = this.#items.filter(({ upload }) => isUnfinished(upload));
    this.#items.splice(0, this.#items.length, ...open);
    this.#publish();
  }

  #add(source: File | string, name: string): void {
    const upload: Upload = { id: this.#nextId++, name, ...WAITING };
    const abort = new AbortController();
    this.#items.push({ upload, source, sha256: null, allowDuplicate: false, abort });
    this.#publish();
  }

  #startSenders(): void {
    while (this.#senderCount < SENDERS_MAX && this.#waiting().length > 0) {
      this.#senderCount += 1;
      void this.#sendWaiting().finally(() => {
        this.#senderCount -= 1;
      });
    }
  }

  async #sendWaiting(): Promise<void> {
    for (let next = this.#takeNext(); next; next = this.#takeNext()) {
      const item = next;
      try {
        const jobId = await this.#send(item);
        if (jobId === null) continue;
        this.#change(item, { jobId });
        // Not awaited: the next file is sent while this one is analysed.
        void this.#follow(item, jobId);
      } catch (error) {
        if (item.abort.signal.aborted) continue;
        this.#refuse(item, error as Error);
      }
    }
  }

  #refuse(item: Item, error: Error): void {
    const isQuotaExceeded = error instanceof ApiError && error.code === 'quota_exceeded';
    // Waiting files would be uploaded in vain.
    const refused = isQuotaExceeded ? [item, ...this.#waiting()] : [item];
    for (const one of refused)
      this.#change(one, { state: 'refused', problem: error.message, canRetry: true, isQuotaExceeded });
  }

  #waiting(): Item[] {
    return this.#items.filter(({ upload }) => upload.state === 'waiting');
  }

  #takeNext(): Item | null {
    const [item = null] = this.#waiting();
    if (item) this.#change(item, { state: 'sending' });
    return item;
  }

  /** Null when the file is not sent: not audio, or a duplicate. */
  async #send(item: Item): Promise<string | null> {
    const { source } = item;
    if (source instanceof File) return this.#sendFile(item, source);
    return (await this.#createAnalysis(item, { source_url: source })).id;
  }

  async #sendFile(item: Item, file: File): Promise<string | null> {
    const { signal } = item.abort;
    const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
    if (!looksLikeAudio(head)) {
      const problem = file.size === 0 ? 'This file is empty.' : 'This is not an audio file.';
      this.#change(item, { state: 'refused', problem });
      return null;
    }
    if (!item.allowDuplicate && (await this.#isDuplicate(item, file))) return null;
    this.#change(item, { stage: 'Uploading' });
    const contentType = /^(audio\/|video\/(mp4|webm)$|application\/ogg$)/.test(file.type)
      ? file.type
      : 'application/octet-stream';
    const file_name = fitFileName(file.name);
    const slot = await earshot.request('createStorageObject', {
      body: { content_type: contentType, purpose: 'upload', file_name },
      signal,
    });
    const onProgress = (fraction: number) => this.#change(item, { fraction });
    // Only the path: the URL's host is the service's BASE_URL, but the page may have been opened under another name (127.0.0.1), and
    // its Content-Security-Policy allows requests to that origin only.
    const { pathname, search } = new URL(slot.signed_url);
    await putFile(`${pathname}${search}`, file, contentType, { onProgress, signal });
    const job = await this.#createAnalysis(item, {
      storage_object_id: slot.id,
      metadata: { file_name },
    });
    keepFile(job.id, file);
    return job.id;
  }

  async #isDuplicate(item: Item, file: File): Promise<boolean> {
    // Browsers hash only for pages from HTTPS or localhost.
    if (file.size > HASHED_BYTES_MAX || !crypto.subtle) return false;
    this.#change(item, { stage: 'Checking' });
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
    const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    // Set before the request below, so that of two identical files in the queue only one is sent.
    item.sha256 = sha256;
    const identical = this.#items.find(
      (other) =>
        other !== item && other.sha256 === sha256 && /sending|analysing|done/.test(other.upload.state),
    );
    const { signal } = item.abort;
    const [known] = identical
      ? []
      : await earshot.request('listAnalyses', { query: { sha256, limit: 1 }, signal });
    if (!identical && !known) return false;
    this.#change(item, {
      state: 'duplicate',
      jobId: identical ? identical.upload.jobId : known!.id,
      stage: identical ? `The same as ${identical.upload.name}` : 'Already in the library',
    });
    return true;
  }

  /** The state changes first: once the request is sent there may be a job, which cancelling would not stop. */
  #createAnalysis(item: Item, body: NonNullable<RequestInput<'createAnalysis'>['body']>) {
    this.#change(item, { state: 'analysing', stage: 'Queued', fraction: 0 });
    return earshot.request('createAnalysis', { body: { ...body, retain_source: true } });
  }

  async #follow(item: Item, jobId: string): Promise<void> {
    try {
      await this.#follower.follow(jobId, (stage, fraction) => this.#change(item, { stage, fraction }));
      this.#change(item, { state: 'done', stage: 'Done', fraction: 1 });
    } catch (error) {
      this.#change(item, { state: 'refused', problem: (error as Error).message });
    }
    for (const listener of this.#onFinished) listener();
  }

  #change(item: Item, change: Partial<Upload>): void {
    item.upload = { ...item.upload, ...change };
    this.#publish();
  }

  #publish(): void {
    this.#snapshot = this.#items.map(({ upload }) => upload);
    for (const listener of this.#listeners) listener();
  }
}

/** Cuts a longer name than the service accepts, and not within a surrogate pair. */
function fitFileName(name: string): string {
  return name.slice(0, FILE_NAME_CHARACTERS_MAX).replace(/[\ud800-\udbff]$/, '');
}
