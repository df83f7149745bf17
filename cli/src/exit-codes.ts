/** What a script can tell apart. */
export const EXIT = {
  ok: 0,
  /** At least one file could not be analysed, read or written; a check failed. */
  someFailed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** The service refused, or could not be reached; or nobody is signed in. */
  service: 3,
  /** Our own fault; EX_SOFTWARE of sysexits.h. */
  bug: 70,
} as const;
