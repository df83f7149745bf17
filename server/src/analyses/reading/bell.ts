/** A ring that nobody waits for yet is kept for the next one who does: what happens during a read is not slept through. */
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
