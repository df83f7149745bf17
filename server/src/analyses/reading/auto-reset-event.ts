/** A signal set while there is no waiter is kept for the next waiter, so that none is lost between two waits. */
export type AutoResetEvent = {
  set: () => void;
  /** Resolves at the next signal, or at once if one came since the last wait. For one waiter at a time. */
  wait: () => Promise<void>;
};

export function createAutoResetEvent(): AutoResetEvent {
  let isSet = false;
  let wake: (() => void) | null = null;
  return {
    set() {
      isSet = true;
      wake?.();
    },
    async wait() {
      if (!isSet) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      isSet = false;
      wake = null;
    },
  };
}
