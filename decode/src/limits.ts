/**
 * What one decode may use, unless the caller sets other limits. They apply to what the child actually does and produces; headers of a
 * file are not trusted. docs/formats-supported.md promises the defaults, and has the measurements of memory and CPU time.
 */
export const DEFAULT_LIMITS = {
  /** Three hours of 24-bit stereo at 96 kHz are 6.2 GB; more than that is not one recording. */
  inputBytesMax: 8 * 2 ** 30,
  /** Longer than most concerts and DJ sets. */
  durationSecondsMax: 3 * 3600,
  /** 7.1 surround. */
  channelsMax: 8,
  /** A quarter of the telephone rate of 8 kHz: less than that cannot carry music. */
  sampleRateHzMin: 2_000,
  /** Eight times 48 kHz, just above the 352.8 kHz of DXD masters. */
  sampleRateHzMax: 384_000,
  /**
   * The resident set of the child, and on Linux also RLIMIT_DATA, which covers WebAssembly memory. More than three times what a
   * file of two hours takes: 93 to 119 MB.
   */
  memoryBytesMax: 400_000_000,
  /** The slowest codec (TTA, in JavaScript) takes 150 s for three hours of CD audio; a slower machine may take twice as long. */
  cpuSecondsMax: 300,
  /** Total time spent waiting for the child, not counting the time the consumer takes: three times the CPU time, for a busy machine. */
  wallSecondsMax: 900,
  /** Time spent waiting for one block. That takes milliseconds, so a child that is silent for a minute hangs. */
  stallSecondsMax: 60,
};
export type DecodeLimits = typeof DEFAULT_LIMITS;
