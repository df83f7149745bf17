import { type BarVectors, MEL_BAND_COUNT, RHYTHM, SOUND } from './bar-features.ts';

/** Twin of the kernel addMelFrames: averages log mel frames into the features of one position of a bar. The first frame only precedes the others. */
export function addMelFramesTwin(
  frames: readonly Float32Array[],
): Record<'rhythm' | 'sound' | 'spectrum', Float32Array | Float64Array> {
  const rhythm = new Float32Array(RHYTHM.bandCount);
  const sound = new Float32Array(SOUND.bandCount);
  const spectrum = new Float64Array(MEL_BAND_COUNT);
  const share = 1 / (frames.length - 1);
  frames.slice(1).forEach((frame, index) => {
    frame.forEach((level, band) => {
      const rise = Math.max(0, level - frames[index]![band]!);
      rhythm[Math.floor((band * RHYTHM.bandCount) / MEL_BAND_COUNT)]! += share * rise;
      sound[Math.floor((band * SOUND.bandCount) / MEL_BAND_COUNT)]! += share * level;
      spectrum[band]! += share * level;
    });
  });
  return { rhythm, sound, spectrum };
}

/** Twin of the kernel centreAndScale: subtracts the mean over bars and scales every bar to unit length (zero for a bar equal to the mean). */
export function centreAndScaleTwin({ barCount, width, data }: BarVectors): void {
  for (let i = 0; i < width; i++) {
    let mean = 0;
    for (let bar = 0; bar < barCount; bar++) mean += data[bar * width + i]! / barCount;
    for (let bar = 0; bar < barCount; bar++) data[bar * width + i]! -= mean;
  }
  for (let bar = 0; bar < barCount; bar++) {
    const row = data.subarray(bar * width, (bar + 1) * width);
    let squares = 0;
    for (const value of row) squares += value * value;
    const scale = squares > 1e-12 ? 1 / Math.sqrt(squares) : 0;
    for (let i = 0; i < width; i++) row[i]! *= scale;
  }
}
