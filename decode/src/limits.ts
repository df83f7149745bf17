/**
 * What one decode may use, unless the caller sets other limits. They apply to what the child actually does and produces; headers of a
 * file are not trusted. The defaults are promised in docs/formats-supported.md.
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
  /** DXD masters are 352.8 kHz; nothing sold goes beyond 384 kHz. */
  sampleRateHzMax: 384_000,
  /**
   * The resident set of the child, and on Linux also RLIMIT_DATA, which covers WebAssembly memory. Four times what a long file takes:
   * about 90 MB for a two-hour MP3, 10 MB more for the tables of a three-hour MP4.
   */
  memoryBytesMax: 400_000_000,
  /** The slowest codec (TTA, in JavaScript) took 120 s for three hours of CD audio; a slower machine may take more than twice as long. */
  cpuSecondsMax: 300,
  /** Total time spent waiting for the child, not counting the time the consumer takes: three times the CPU time, for a busy machine. */
  wallSecondsMax: 900,
  /** Time spent waiting for one block. That takes milliseconds, so a child that is silent for a minute hangs. */
  stallSecondsMax: 60,
};
export type DecodeLimits = typeof DEFAULT_LIMITS;
