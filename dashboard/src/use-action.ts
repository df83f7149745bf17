import { useCallback, useState } from 'react';

/** Runs an action, says whether it is running, and keeps the message of its failure. Forms disable their buttons while `busy`. */
export function useAction(): {
  busy: boolean;
  problem: string | null;
  run: (work: () => Promise<unknown>) => Promise<boolean>;
} {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const run = useCallback(async (work: () => Promise<unknown>) => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem((error as Error).message);
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  return { busy, problem, run };
}
