import { ApiError, type RequestInput } from '@earshot/sdk';
import { earshot } from '../api.ts';
import { METADATA_CHARACTERS_MAX } from '../service-limits.ts';
import { followJob } from './follow-job.ts';
import { JobFollower } from './job-follower.ts';
import { keepFile } from './playable-files.ts';
import { putFile } from './send-file.ts';
import { HEAD_BYTES, looksLikeAudio } from './sniff.ts';

export type Upload = {
  id: number;
  name: string;
  /** Of the file while it travels; of the analysis afterwards. */
  fraction: number;
  stage: string;
  jobId: string | null;
  state: 'waiting' | 'sending' | 'analysing' | 'done' | 'refused' | 'duplicate';
  problem: string | null;
  /** It is sound as far as we see, and did not arrive. */
  canRetry: boolean;
  /** Refused because the plan has no analyses left this month. */
  isQuotaExceeded: boolean;
};

type Item = {
  upload: Upload;
  /** A file, or the address of one. */
  source: File | string;
  /** Null until it is known. */
  sha256: string | null;
  allowDuplicate: boolean;
  /** Of its way to the service. */
  stop: AbortController;
};

/** How many files travel at once; the rest wait their turn. Chosen: enough to hash one while another is sent. */
const SENDERS_MAX = 3;
/** Larger ones would take long to hash in a page, and by default the service takes none of them (UPLOAD_BYTES_MAX). */
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

/** Nothing is analysed of it yet, and nothing is if it is cancelled. */
export function isUnsent({ state }: Upload): boolean {
  return state === 'waiting' || state === 'sending';
}

/** Songs on their way. It belongs to the visit, not to a page: moving between rooms does not stop it. */
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

  /** Called whenever a song has come to its end. */
  onFinished(listener: () => void): () => void {
    this.#onFinished.add(listener);
    return () => this.#onFinished.delete(listener);
  }

  /** Whether a reload would lose files that have not been sent. */
  get wouldLoseFiles(): boolean {
    const isUnknown = (upload: Upload) => upload.state === 'analysing' && upload.jobId === null;
    return this.#items.some(
      ({ upload, source }) => source instanceof File && (isUnsent(upload) || isUnknown(upload)),
    );
  }

  addFiles(files: Iterable<File>): void {
    for (const file of files) this.#add(file, file.name);
    this.#run();
  }

  addUrl(url: string): void {
    this.#add(url, url);
    this.#run();
  }

  /** Sends one that did not arrive, or with `allowDuplicate` one that is already in the library. */
  sendAgain(id: number, { allowDuplicate }: { allowDuplicate: boolean }): void {
    const item = this.#items.find(({ upload }) => upload.id === id);
    if (!item) return;
    item.allowDuplicate ||= allowDuplicate;
    this.#change(item, WAITING);
    this.#run();
  }

  /** Takes one that has not arrived out of the queue, wherever it is on its way. */
  cancel(id: number): void {
    const index = this.#items.findIndex(({ upload }) => upload.id === id && isUnsent(upload));
    if (index < 0) return;
    const [item] = this.#items.splice(index, 1);
    item!.stop.abort();
    this.#publish();
  }

  clearFinished(): void {
    const open = this.#items.filter(({ upload }) => /waiting|sending|analysing/.test(upload.state));
    this.#items.splice(0, this.#items.length, ...open);
    this.#publish();
  }

  #add(source: File | string, name: string): void {
    const upload: Upload = { id: this.#nextId++, name, ...WAITING };
    const stop = new AbortController();
    this.#items.push({ upload, source, sha256: null, allowDuplicate: false, stop });
    this.#publish();
  }

  #run(): void {
    while (this.#senderCount < SENDERS_MAX && this.#waiting().length > 0) {
      this.#senderCount += 1;
      void this.#work().finally(() => {
        this.#senderCount -= 1;
      });
    }
  }

  async #work(): Promise<void> {
    for (let next = this.#takeNext(); next; next = this.#takeNext()) {
      const item = next;
      try {
        const jobId = await this.#send(item);
        if (jobId === null) continue;
        this.#change(item, { jobId });
        // The next file need not wait until this one is analysed.
        void this.#follow(item, jobId);
      } catch (error) {
        if (item.stop.signal.aborted) continue;
        this.#refuse(item, error as Error);
      }
    }
  }

  #refuse(item: Item, error: Error): void {
    const isQuotaExceeded = error instanceof ApiError && error.code === 'quota_exceeded';
    // Those that wait would be sent for nothing.
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

  /** Null when it is not sent: it is no sound, or the library has it. */
  async #send(item: Item): Promise<string | null> {
    const { source } = item;
    if (source instanceof File) return this.#sendFile(item, source);
    return (await this.#createAnalysis(item, { source_url: source })).id;
  }

  async #sendFile(item: Item, file: File): Promise<string | null> {
    const { signal } = item.stop;
    const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
    if (!looksLikeAudio(head)) {
      const problem = file.size === 0 ? 'This file is empty.' : 'This is not an audio file.';
      this.#change(item, { state: 'refused', problem });
      return null;
    }
    if (!item.allowDuplicate && (await this.#isKnown(item, file))) return null;
    this.#change(item, { stage: 'Uploading' });
    const contentType = /^(audio\/|video\/(mp4|webm)$|application\/ogg$)/.test(file.type)
      ? file.type
      : 'application/octet-stream';
    const slot = await earshot.request('createStorageObject', {
      body: { content_type: contentType, purpose: 'upload', file_name: file.name },
      signal,
    });
    const onProgress = (fraction: number) => this.#change(item, { fraction });
    // The service names itself as BASE_URL does. A page that was opened by another name of it, as 127.0.0.1, may send to its own alone.
    const { pathname, search } = new URL(slot.signed_url);
    await putFile(`${pathname}${search}`, file, contentType, { onProgress, signal });
    const job = await this.#createAnalysis(item, {
      storage_object_id: slot.id,
      metadata: { file_name: file.name.slice(0, METADATA_CHARACTERS_MAX) },
    });
    keepFile(job.id, file);
    return job.id;
  }

  async #isKnown(item: Item, file: File): Promise<boolean> {
    if (file.size > HASHED_BYTES_MAX || !globalThis.crypto?.subtle) return false;
    this.#change(item, { stage: 'Checking' });
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
    const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    // Said before the library is asked, so that of two alike on their way one is sent.
    item.sha256 = sha256;
    const twin = this.#items.find(
      (other) =>
        other !== item && other.sha256 === sha256 && /sending|analysing|done/.test(other.upload.state),
    );
    const { signal } = item.stop;
    const [known] = twin
      ? []
      : await earshot.request('listAnalyses', { query: { sha256, limit: 1 }, signal });
    if (!twin && !known) return false;
    this.#change(item, {
      state: 'duplicate',
      jobId: twin ? twin.upload.jobId : known!.id,
      stage: twin ? `The same as ${twin.upload.name}` : 'Already in the library',
    });
    return true;
  }

  /** From here on there is a job, whoever hears of it. */
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
