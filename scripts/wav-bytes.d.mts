type Samples = Int16Array | Float32Array;
export function wavBytes(
  samples: Samples,
  format: { sampleRateHz: number; channelCount?: number },
): Buffer<ArrayBuffer>;
export function interleave<T extends Samples>(channels: readonly T[]): T;
