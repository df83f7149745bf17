import { type CorrectionBody, isSameCorrection } from './corrections.ts';

/** The service and the page, as far as correcting one song needs them. */
type Ports = {
  read: () => Promise<CorrectionBody>;
  /** Replaces the correction and returns it as the service stored it. */
  send: (body: CorrectionBody) => Promise<CorrectionBody>;
  /** Loads the song again, so that the page shows what the service has; returns why that failed, or null. */
  reload: () => Promise<Error | null>;
  showToast: (text: string, undo?: () => void) => void;
  setBusy: (busy: boolean) => void;
};

type UndoEntry = { before: CorrectionBody; after: CorrectionBody; message: string };

/**
 * The corrections made on one page, each of which can be undone. They run one at a time: each reads the correction, compares it with
 * what the page knew and replaces it, so two at once would overwrite each other unnoticed.
 */
export class CorrectionHistory {
  readonly #ports: Ports;
  readonly #undoStack: UndoEntry[] = [];
  #busy = false;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** `next` returns the whole new correction, or null when there is nothing to change. */
  async correct(
    before: CorrectionBody,
    next: (body: CorrectionBody) => CorrectionBody | null,
    message: string,
  ): Promise<void> {
    const { showToast } = this.#ports;
    if (this.#busy) {
      showToast('Not changed: another correction is still being saved.');
      return;
    }
    const body = next(before);
    if (!body) return;
    await this.#runAlone(async () => {
      const { stored, staleNotice } = await this.#replace(before, body);
      if (!stored) {
        showToast(`Not changed: the song was corrected elsewhere meanwhile.${staleNotice}`);
        return;
      }
      const entry = { before, after: stored, message };
      this.#undoStack.push(entry);
      showToast(`${message}${staleNotice}`, () => void this.#undo(entry));
    });
  }

  async undoLast(): Promise<void> {
    const last = this.#undoStack.at(-1);
    if (last) await this.#undo(last);
  }

  async #undo(entry: UndoEntry): Promise<void> {
    const { showToast } = this.#ports;
    if (this.#busy) {
      showToast('Not undone: another correction is still being saved.');
      return;
    }
    await this.#runAlone(async () => {
      const { stored, staleNotice } = await this.#replace(entry.after, entry.before);
      if (!stored) {
        showToast(`Not undone: the song was corrected again after this.${staleNotice}`);
        return;
      }
      this.#undoStack.splice(this.#undoStack.indexOf(entry), 1);
      showToast(`Undone: ${entry.message}${staleNotice}`);
    });
  }

  /** Reloads whether or not the correction was replaced: a refusal means that the page shows an old one. */
  async #replace(known: CorrectionBody, next: CorrectionBody) {
    const { read, send, reload } = this.#ports;
    const stored = isSameCorrection(await read(), known) ? await send(next) : null;
    const failure = await reload();
    const staleNotice = failure
      ? ` The page is out of date, because the song could not be loaded again: ${failure.message}`
      : '';
    return { stored, staleNotice };
  }

  async #runAlone(work: () => Promise<void>): Promise<void> {
    const { showToast, setBusy } = this.#ports;
    this.#busy = true;
    setBusy(true);
    try {
      await work();
    } catch (error) {
      showToast((error as Error).message);
    } finally {
      this.#busy = false;
      setBusy(false);
    }
  }
}
