/** What a script can tell apart. */
export const EXIT = {
  ok: 0,
  /** At least one file could not be analysed. */
  someFailed: 1,
  /** The command line itself is wrong. */
  usage: 2,
} as const;
