/** An event that resets itself: a ring that nobody waits for is kept for the next who does, so that none is missed during a read. */
export type Bell = {
  ring: () => void;
  /** Resolves at the next ring, or at once after one that was not heard. */
  heard: () => Promise<void>;
};

export function createBell(): Bell {
  let rung = false;
  let wake: (() => void) | null = null;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async heard() {
      if (!rung) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      rung = false;
      wake = null;
    },
  };
}
