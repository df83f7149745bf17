/** What one decode may use. The parent enforces every limit on what the child really does, and never trusts the headers of a file. */
export type DecodeLimits = {
  inputBytesMax: number;
  durationSecondsMax: number;
  channelsMax: number;
  sampleRateHzMin: number;
  sampleRateHzMax: number;
  /** Of the child: resident bytes, and on Linux also RLIMIT_DATA, which covers WebAssembly memory. */
  memoryBytesMax: number;
  cpuSecondsMax: number;
  /** Total time spent waiting for the child. Time in which the consumer works does not count. */
  wallSecondsMax: number;
  /** Time spent waiting for one block. */
  stallSecondsMax: number;
};

export const DEFAULT_LIMITS: DecodeLimits = {
  // Three hours of 24-bit stereo at 96 kHz are 6.2 GB; more than that is not one recording.
  inputBytesMax: 8 * 2 ** 30,
  // Chosen: longer than a concert or a DJ set.
  durationSecondsMax: 3 * 3600,
  // 7.1 surround.
  channelsMax: 8,
  // Chosen: a quarter of the rate of telephones.
  sampleRateHzMin: 2_000,
  // DXD masters are 352.8 kHz; nothing sold goes beyond 384 kHz.
  sampleRateHzMax: 384_000,
  // A two-hour MP3 takes about 90 MB; an MP4 table of three hours 10 MB more.
  memoryBytesMax: 400_000_000,
  // The slowest codec (TTA, pure JavaScript) needs about 120 s for three hours of CD audio here.
  cpuSecondsMax: 300,
  // Chosen: three times the processor time, for a busy machine.
  wallSecondsMax: 900,
  // Chosen: a block takes milliseconds.
  stallSecondsMax: 60,
};
