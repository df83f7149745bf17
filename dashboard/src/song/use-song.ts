import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { earshot } from '../api.ts';
import type { Result } from '../result.ts';
import { useToast } from '../ui/toasts.tsx';
import { bodyOf, type Correction, type CorrectionBody, isEmpty, replaceKnown } from './corrections.ts';
import { loadGroups } from './load-groups.ts';
import { loadParts } from './song-requests.ts';

export type Song = {
  result: Result;
  correction: Correction;
  /** Says something else of the song, at once and everywhere; the words are told with the way back. */
  correct: (next: (body: CorrectionBody) => CorrectionBody | null, words: string) => void;
  /** Takes back the last correction that was made on this page and still stands. */
  undoLast: () => void;
  busy: boolean;
  /** The song is looked at closer than its waveform was loaded for. */
  loadFinestWaveform: () => void;
};

export type SongState =
  | { state: 'loading' }
  | { state: 'failed'; error: Error }
  | { state: 'ready'; song: Song };

/** A correction that was made here, between what was said before it and after. */
type Said = { made: CorrectionBody; before: CorrectionBody; words: string };

/** A song with its corrections: one is shown only as the other makes it. */
export function useSong(jobId: string): [SongState, reload: () => void] {
  const showToast = useToast();
  const [loaded, setLoaded] = useState<{ result: Result; correction: Correction } | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const round = useRef(0);
  const said = useRef<Said[]>([]);

  const load = useCallback(async () => {
    const mine = ++round.current;
    try {
      const [answer, correction] = await loadParts(jobId, { anew: mine > 1 });
      if (mine !== round.current) return;
      if (!answer.result) throw new Error(answer.error?.message ?? 'This analysis has no result.');
      setLoaded({ result: answer.result, correction });
      setError(null);
    } catch (failure) {
      if (mine === round.current) setError(failure as Error);
    }
  }, [jobId]);

  useEffect(() => {
    setLoaded(null);
    void load();
  }, [load]);

  const send = useCallback(
    async (body: CorrectionBody) => {
      const params = { job_id: jobId };
      const made = isEmpty(body)
        ? await earshot.request('removeCorrections', { params })
        : await earshot.request('replaceCorrections', { params, body });
      await load();
      return bodyOf(made);
    },
    [jobId, load],
  );

  const replace = useCallback(
    (known: CorrectionBody, next: CorrectionBody) => {
      const read = async () => bodyOf(await earshot.request('getCorrections', { params: { job_id: jobId } }));
      return replaceKnown(known, next, { read, send });
    },
    [jobId, send],
  );

  const undo = useCallback(
    async (one: Said) => {
      if (!(await replace(one.made, one.before))) {
        showToast('Not undone: the song was corrected again after this.');
        return;
      }
      said.current = said.current.filter((other) => other !== one);
      showToast(`Undone: ${one.words}`);
    },
    [replace, showToast],
  );

  const undoLast = useCallback(() => {
    const last = said.current.at(-1);
    if (!last || busy) return;
    setBusy(true);
    undo(last)
      .catch((failure: Error) => showToast(failure.message))
      .finally(() => setBusy(false));
  }, [busy, undo, showToast]);

  const correct = useCallback<Song['correct']>(
    (next, words) => {
      if (!loaded) return;
      if (busy) {
        showToast('Not changed: the correction before it is still being saved.');
        return;
      }
      const before = bodyOf(loaded.correction);
      const body = next(before);
      if (!body) return;
      setBusy(true);
      replace(before, body)
        .then(
          async (made) => {
            if (made) {
              const one = { made, before, words };
              said.current.push(one);
              showToast(words, () => void undo(one).catch((failure: Error) => showToast(failure.message)));
              return;
            }
            await load();
            showToast('Not changed: the song was corrected elsewhere meanwhile, as it is shown now.');
          },
          (failure: Error) => showToast(failure.message),
        )
        .finally(() => setBusy(false));
    },
    [loaded, busy, replace, undo, load, showToast],
  );

  const [waveform, loadFinestWaveform] = useFinestWaveform(jobId);
  const result = useMemo(
    () => loaded && { ...loaded.result, waveform: waveform ?? loaded.result.waveform },
    [loaded, waveform],
  );

  if (loaded && result) {
    const song = { result, correction: loaded.correction, correct, undoLast, busy, loadFinestWaveform };
    return [{ state: 'ready', song }, load];
  }
  return [error ? { state: 'failed', error } : { state: 'loading' }, load];
}

/** No correction changes it: once loaded, it stays. */
function useFinestWaveform(jobId: string): [waveform: Result['waveform'], load: () => void] {
  const [waveform, setWaveform] = useState<Result['waveform']>(null);
  const asked = useRef(false);
  const load = useCallback(() => {
    if (asked.current) return;
    asked.current = true;
    loadGroups(jobId, 'waveform').then(
      (result) => setWaveform(result.waveform),
      // The coarser one stays, and the next close look asks again.
      () => {
        asked.current = false;
      },
    );
  }, [jobId]);
  return [waveform, load];
}
