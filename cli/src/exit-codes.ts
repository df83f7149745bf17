/** Documented in the README, for scripts. */
export const EXIT = {
  ok: 0,
  /** At least one file could not be analysed, read or written; a check failed. */
  someFailed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** The service refused the request or could not be reached, or there is no sign-in. */
  service: 3,
  /** A bug in Earshot: EX_SOFTWARE of sysexits.h. */
  bug: 70,
} as const;
