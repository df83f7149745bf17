import { beforeEach, describe, expect, it } from 'vitest';
import { CorrectionHistory } from './correction-history.ts';
import type { CorrectionBody } from './corrections.ts';

const DOUBLE: CorrectionBody = { tempo: 'double' };
const IN_G: CorrectionBody = { key: 'G major' };

let stored: CorrectionBody;
/** What the page shows: the correction at its last successful reload. */
let shown: CorrectionBody;
let toasts: { text: string; undo: (() => void) | undefined }[];
let busyChanges: boolean[];
/** Runs before each answer of the service; a test replaces it to hold or to fail requests. */
let onRequest: (name: 'read' | 'send' | 'reload') => Promise<void>;
let reloadFailure: Error | null;
let history: CorrectionHistory;

beforeEach(() => {
  [stored, shown, toasts, busyChanges] = [{}, {}, [], []];
  onRequest = async () => {};
  reloadFailure = null;
  history = new CorrectionHistory({
    read: async () => {
      await onRequest('read');
      return stored;
    },
    send: async (body) => {
      await onRequest('send');
      stored = body;
      return body;
    },
    reload: async () => {
      await onRequest('reload');
      if (reloadFailure === null) shown = stored;
      return reloadFailure;
    },
    showToast: (text, undo) => void toasts.push({ text, undo }),
    setBusy: (busy) => void busyChanges.push(busy),
  });
});

const correct = (body: CorrectionBody, message: string) => history.correct(shown, () => body, message);
const texts = () => toasts.map(({ text }) => text);
/** Lets everything that waits for nothing but promises finish. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Holds every request until the returned function is called. */
function holdRequests(): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  onRequest = () => released;
  return release;
}

describe('a correction', () => {
  it('is stored and shown, and the page is busy meanwhile', async () => {
    await correct(DOUBLE, 'Tempo doubled.');
    expect([stored, shown]).toEqual([DOUBLE, DOUBLE]);
    expect(texts()).toEqual(['Tempo doubled.']);
    expect(busyChanges).toEqual([true, false]);
  });

  it('that changes nothing sends nothing', async () => {
    await history.correct(shown, () => null, 'Never said.');
    expect([texts(), busyChanges]).toEqual([[], []]);
  });

  it('is refused while another one is being saved', async () => {
    const release = holdRequests();
    const first = correct(DOUBLE, 'Tempo doubled.');
    await correct(IN_G, 'Key is G major.');
    expect(texts()).toEqual(['Not changed: another correction is still being saved.']);
    release();
    await first;
    expect(stored).toEqual(DOUBLE);
  });

  it('is not sent over one made elsewhere, which is shown instead', async () => {
    stored = IN_G;
    await correct(DOUBLE, 'Tempo doubled.');
    expect([stored, shown]).toEqual([IN_G, IN_G]);
    expect(texts()).toEqual(['Not changed: the song was corrected elsewhere meanwhile.']);
  });

  it('reports why the service refused it, and the next one can be made', async () => {
    onRequest = async (name) => {
      if (name === 'send') throw new Error('Too many requests.');
    };
    await correct(DOUBLE, 'Tempo doubled.');
    expect([texts(), stored]).toEqual([['Too many requests.'], {}]);
    onRequest = async () => {};
    await correct(DOUBLE, 'Tempo doubled.');
    expect(stored).toEqual(DOUBLE);
  });

  it('says that the page is out of date when the song cannot be loaded again', async () => {
    reloadFailure = new Error('The service cannot be reached.');
    await correct(DOUBLE, 'Tempo doubled.');
    expect([stored, shown]).toEqual([DOUBLE, {}]);
    expect(texts()).toEqual([
      'Tempo doubled. The page is out of date, because the song could not be loaded again: The service cannot be reached.',
    ]);
  });
});

describe('undo', () => {
  it('takes corrections back from the last to the first, and then does nothing', async () => {
    await correct(DOUBLE, 'Tempo doubled.');
    await correct({ ...DOUBLE, ...IN_G }, 'Key is G major.');
    await history.undoLast();
    expect([stored, shown]).toEqual([DOUBLE, DOUBLE]);
    await history.undoLast();
    expect([stored, shown]).toEqual([{}, {}]);
    await history.undoLast();
    expect(texts().slice(2)).toEqual(['Undone: Key is G major.', 'Undone: Tempo doubled.']);
  });

  it('from the toast takes back its own correction', async () => {
    await correct(DOUBLE, 'Tempo doubled.');
    toasts[0]!.undo!();
    await settle();
    expect([stored, shown]).toEqual([{}, {}]);
    // Nothing is left for the shortcut.
    await history.undoLast();
    expect(texts()).toEqual(['Tempo doubled.', 'Undone: Tempo doubled.']);
  });

  it('from the toast of a correction that another followed is refused', async () => {
    await correct(DOUBLE, 'Tempo doubled.');
    await correct({ ...DOUBLE, ...IN_G }, 'Key is G major.');
    toasts[0]!.undo!();
    await settle();
    expect(stored).toEqual({ ...DOUBLE, ...IN_G });
    expect(texts().slice(2)).toEqual(['Not undone: the song was corrected again after this.']);
  });

  it('is refused while a correction is being saved, from the toast and by the shortcut', async () => {
    await correct(DOUBLE, 'Tempo doubled.');
    const release = holdRequests();
    const second = correct({ ...DOUBLE, ...IN_G }, 'Key is G major.');
    toasts[0]!.undo!();
    await history.undoLast();
    expect(texts().slice(1)).toEqual([
      'Not undone: another correction is still being saved.',
      'Not undone: another correction is still being saved.',
    ]);
    release();
    await second;
    await settle();
    expect([stored, shown]).toEqual([
      { ...DOUBLE, ...IN_G },
      { ...DOUBLE, ...IN_G },
    ]);
  });

  it('is refused after a correction made elsewhere, which is shown instead', async () => {
    await correct(DOUBLE, 'Tempo doubled.');
    stored = IN_G;
    await history.undoLast();
    expect([stored, shown]).toEqual([IN_G, IN_G]);
    expect(texts()[1]).toBe('Not undone: the song was corrected again after this.');
  });
});
