import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { earshot } from '../api.ts';
import type { Result } from '../result.ts';
import { useToast } from '../ui/toasts.tsx';
import { CorrectionHistory } from './correction-history.ts';
import { bodyOf, type Correction, type CorrectionBody, isEmpty } from './corrections.ts';
import { loadGroups, resultOf } from './load-groups.ts';
import { loadParts } from './song-requests.ts';

export type Song = {
  result: Result;
  correction: Correction;
  /** Replaces the song's correction by what `next` returns, unless that is null; the toast with `message` offers to undo it. */
  correct: (next: (body: CorrectionBody) => CorrectionBody | null, message: string) => void;
  /** Undoes the latest correction made on this page. */
  undoLast: () => void;
  /** Whether a correction is being saved or undone. */
  busy: boolean;
  /** Loads the level of the waveform that close views need. */
  loadFinestWaveform: () => void;
};

export type SongState =
  | { state: 'loading' }
  | { state: 'failed'; error: Error }
  | { state: 'ready'; song: Song };

/** A song and its corrections. For another song, mount the component again: the undo history belongs to one. */
export function useSong(jobId: string): [SongState, reload: () => void] {
  const showToast = useToast();
  const [loaded, setLoaded] = useState<{ result: Result; correction: Correction } | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const loadCount = useRef(0);

  /** Returns why it failed, or null; a load that a later one has overtaken changes nothing. */
  const load = useCallback(async (): Promise<Error | null> => {
    const thisLoad = ++loadCount.current;
    let failure: Error | null = null;
    try {
      const [answer, correction] = await loadParts(jobId, { refetch: thisLoad > 1 });
      if (thisLoad !== loadCount.current) return null;
      setLoaded({ result: resultOf(answer), correction });
    } catch (caught) {
      failure = caught as Error;
    }
    if (thisLoad === loadCount.current) setError(failure);
    return failure;
  }, [jobId]);

  useEffect(() => void load(), [load]);

  const history = useMemo(() => {
    const params = { job_id: jobId };
    return new CorrectionHistory({
      read: async () => bodyOf(await earshot.request('getCorrections', { params })),
      send: async (body) =>
        bodyOf(
          isEmpty(body)
            ? await earshot.request('removeCorrections', { params })
            : await earshot.request('replaceCorrections', { params, body }),
        ),
      reload: load,
      showToast,
      setBusy,
    });
  }, [jobId, load, showToast]);

  const [waveform, loadFinestWaveform] = useFinestWaveform(jobId);
  // The time line is drawn again for each new result, so the object stays the same until something in it changes.
  const result = useMemo(
    () => loaded && { ...loaded.result, waveform: waveform ?? loaded.result.waveform },
    [loaded, waveform],
  );

  if (loaded && result) {
    const { correction } = loaded;
    const correct: Song['correct'] = (next, message) =>
      void history.correct(bodyOf(correction), next, message);
    const undoLast = () => void history.undoLast();
    return [
      { state: 'ready', song: { result, correction, correct, undoLast, busy, loadFinestWaveform } },
      load,
    ];
  }
  return [error ? { state: 'failed', error } : { state: 'loading' }, load];
}

/** The finest level of the waveform, null until it is loaded; corrections do not change it, so it is loaded once. */
function useFinestWaveform(jobId: string): [waveform: Result['waveform'], load: () => void] {
  const [waveform, setWaveform] = useState<Result['waveform']>(null);
  const requested = useRef(false);
  const load = useCallback(() => {
    if (requested.current) return;
    requested.current = true;
    loadGroups(jobId, 'waveform').then(
      (result) => setWaveform(result.waveform),
      // The coarser level stays, and the next close view tries again.
      () => {
        requested.current = false;
      },
    );
  }, [jobId]);
  return [waveform, load];
}
