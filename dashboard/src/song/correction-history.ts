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
    if (this.#refuseWhileBusy('Not changed')) return;
    const body = next(before);
    if (!body) return;
    const refusal = 'Not changed: the song was corrected elsewhere meanwhile.';
    await this.#replace(before, body, refusal, (after, staleNotice) => {
      const entry = { before, after, message };
      this.#undoStack.push(entry);
      this.#ports.showToast(`${message}${staleNotice}`, () => void this.#undo(entry));
    });
  }

  async undoLast(): Promise<void> {
    const last = this.#undoStack.at(-1);
    if (last) await this.#undo(last);
  }

  async #undo(entry: UndoEntry): Promise<void> {
    if (this.#refuseWhileBusy('Not undone')) return;
    const refusal = 'Not undone: the song was corrected again after this.';
    await this.#replace(entry.after, entry.before, refusal, (_, staleNotice) => {
      this.#undoStack.splice(this.#undoStack.indexOf(entry), 1);
      this.#ports.showToast(`Undone: ${entry.message}${staleNotice}`);
    });
  }

  #refuseWhileBusy(outcome: string): boolean {
    if (this.#busy) this.#ports.showToast(`${outcome}: another correction is still being saved.`);
    return this.#busy;
  }

  /** Reloads whether or not the correction was replaced: a refusal means that the page shows an old one. */
  async #replace(
    known: CorrectionBody,
    next: CorrectionBody,
    refusal: string,
    onStored: (stored: CorrectionBody, staleNotice: string) => void,
  ): Promise<void> {
    const { read, send, reload, showToast } = this.#ports;
    this.#setBusy(true);
    try {
      const stored = isSameCorrection(await read(), known) ? await send(next) : null;
      const failure = await reload();
      const staleNotice = failure
        ? ` The page is out of date, because the song could not be loaded again: ${failure.message}`
        : '';
      if (stored) onStored(stored, staleNotice);
      else showToast(`${refusal}${staleNotice}`);
    } catch (error) {
      showToast((error as Error).message);
    } finally {
      this.#setBusy(false);
    }
  }

  #setBusy(busy: boolean): void {
    this.#busy = busy;
    this.#ports.setBusy(busy);
  }
}
